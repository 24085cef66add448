package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import dev.agentloop.git.GitPlace;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.git.RepositoryLinks;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Work trees of a repository for runs that must not see each other's work, nor the user's. They
 * stand outside of the user's tree, on no branch: so a run needs to write nothing that others
 * share. What it has changed is committed when it has ended, to a branch of its own. The user's
 * branch, index, files and stash are never touched, and no work is ever deleted. Nothing that a
 * repository names runs, neither hooks nor filters. Git takes its own locks, so this is used by one
 * thread at a time.
 */
public final class Worktrees implements AutoCloseable {
    private static final int STATUS_LETTERS = 3; // two and a blank before a name

    private final Git git;
    private final PrivateGitFolder main;
    private final Path prefix;
    private final String base;
    private final Place place;

    /**
     * The folder in which this program makes working trees, and how a sandbox knows them.
     *
     * @param folder of the trees; made when needed
     * @param mark name of a file in it that tells sandboxes that each tree is alone
     * @param owner what the file holds: the process that this holds for, and only while it lives
     */
    public record Place(Path folder, String mark, String owner) {}

    /**
     * One of them.
     *
     * @param root its folder
     * @param workspace where the run works: the user's workspace in it
     * @param branch that its changes are to get; empty for one that is only looked at
     * @param gitFolder what git keeps of it; named to git each time, because a run may write to the
     *     file in the tree that names it
     */
    public record Tree(Path root, Path workspace, String branch, Path gitFolder) {}

    /**
     * What became of one.
     *
     * @param branch that holds the changes; empty if there is none
     * @param commit of the changes; empty if there were none
     * @param files how many were changed
     * @param kept whether the folder is still there
     * @param trouble which work is not on a branch, and why; empty if all of it is
     */
    public record Harvest(
            String branch,
            String commit,
            int files,
            int added,
            int removed,
            boolean kept,
            String trouble) {

        /** Of a tree that stays as it is. */
        static Harvest untouched(String trouble) {
            return new Harvest("", "", 0, 0, 0, true, trouble);
        }
    }

    private Worktrees(Git git, PrivateGitFolder main, Path prefix, String base, Place place) {
        this.git = git;
        this.main = main;
        this.prefix = prefix;
        this.base = base;
        this.place = place;
    }

    /**
     * Looks at the repository of a workspace.
     *
     * @param workspace real path
     * @throws IOException with what is wrong in one line
     */
    public static Worktrees of(Git git, Path workspace, Place place) throws IOException {
        if (git.hasNone(workspace)) {
            throw new IOException(workspace + " is in no git work tree (git init, and commit)");
        }
        PrivateGitFolder main = PrivateGitFolder.around(git, workspace);
        try {
            if (main.hasTables()) { // the HEAD of each work tree would be in one of them
                throw new IOException("branches of the repository are kept in tables (reftable)");
            }
            RepositoryLinks.refuse(
                    main.place().common(), "worktrees", "refs/heads", "objects/pack");
            Path root = main.place().root();
            Git.Answer head = main.ask(List.of("rev-parse", "--verify", "-q", "HEAD^{commit}"));
            if (!head.complete()) {
                throw new IOException(root + " has no commit yet (git commit first)");
            }
            return new Worktrees(git, main, root.relativize(workspace), head.text().strip(), place);
        } catch (IOException | RuntimeException e) {
            main.close();
            throw e;
        }
    }

    /** The commit that all trees begin with. */
    public String base() {
        return base;
    }

    /** Files of the user's that are not in that commit as they are; they are in no tree. */
    public List<String> uncommitted() throws IOException {
        Git.Answer status =
                main.ask(
                        List.of(
                                "status",
                                "--porcelain",
                                "-z",
                                "-unormal",
                                "--ignore-submodules=dirty"));
        List<String> names = new ArrayList<>();
        boolean old = false; // the name before, of a file that has another one now
        for (String entry : status.text().split("\0")) {
            if (old) {
                names.add(entry);
                old = false;
            } else if (entry.length() > STATUS_LETTERS) {
                names.add(entry.substring(STATUS_LETTERS));
                String letters = entry.substring(0, STATUS_LETTERS - 1);
                old = letters.contains("R") || letters.contains("C");
            }
        }
        return names;
    }

    /**
     * A name for a branch that does not exist yet: the wish, or with a number behind it.
     *
     * @throws IOException if no branch can have that name, because another one has its first part,
     *     or git would write it through a link
     */
    public String freeBranch(String wish) throws IOException {
        String first = wish.substring(0, Math.max(0, wish.indexOf('/')));
        if (!first.isEmpty() && isThere("show-ref", "--verify", "refs/heads/" + first)) {
            throw new IOException(
                    "a branch is called "
                            + first
                            + ", so that none can be "
                            + wish
                            + ": rename it");
        }
        RepositoryLinks.refuse(main.place().common(), "refs/heads/" + wish);
        String name = wish;
        for (int i = 2; isThere("for-each-ref", "refs/heads/" + name); i++) {
            name = wish + "-" + i; // for-each-ref: also what lies below a name takes it
        }
        return name;
    }

    private boolean isThere(String... question) throws IOException {
        Git.Answer answer = main.ask(List.of(question));
        return answer.complete() && !answer.text().isBlank();
    }

    /**
     * Makes one at the base commit.
     *
     * @param branch that does not exist yet, for its changes; empty for none
     */
    public Tree add(String name, String branch) throws IOException {
        PrivateFiles.ensureDirectory(place.folder);
        Path mark = place.folder.resolve(place.mark);
        if (!Files.exists(mark)) {
            Files.writeString(mark, place.owner, StandardOpenOption.CREATE_NEW);
        }
        Path tree = place.folder.resolve(name);
        Git.Answer made =
                main.askRepository(
                        List.of(
                                "worktree",
                                "add",
                                "-q",
                                "--no-checkout",
                                "--detach",
                                tree.toString(),
                                base));
        if (!made.complete()) {
            throw new IOException("the work tree " + tree + " cannot be made: " + made.trouble());
        }
        GitPlace own = git.place(tree); // nothing of a task's has run in it yet
        Path workspace = tree.resolve(prefix).normalize();
        Tree added = new Tree(own.root(), workspace, branch, own.own());
        try (PrivateGitFolder questions = PrivateGitFolder.of(git, own)) {
            Git.Answer filled = questions.ask(List.of("read-tree", "--reset", "-u", base));
            if (!filled.complete()) {
                discard(added);
                throw new IOException(
                        "the files of " + tree + " cannot be made: " + filled.trouble());
            }
        }
        Files.createDirectories(workspace);
        return added;
    }

    /** Commits what was changed, if anything was, and takes away a tree in which nothing was. */
    public Harvest harvest(Tree tree, String message) throws IOException {
        GitPlace own = new GitPlace(tree.root, tree.gitFolder, main.place().common());
        try (PrivateGitFolder questions = PrivateGitFolder.of(git, own)) {
            TreeHarvest work = new TreeHarvest(questions, tree, base);
            Harvest harvest = work.commit(message);
            boolean nothing = harvest.commit.isEmpty() && harvest.files == 0;
            boolean clean = nothing && harvest.trouble.isEmpty();
            return clean && work.isEmpty() && remove(tree)
                    ? new Harvest("", "", 0, 0, 0, false, "")
                    : harvest;
        }
    }

    private boolean remove(Tree tree) throws IOException {
        return main.askRepository(List.of("worktree", "remove", "--force", tree.root.toString()))
                .complete();
    }

    /** Takes away a tree in which no run has begun, or that was only looked at. */
    public void discard(Tree tree) throws IOException {
        remove(tree);
    }

    /** Runs have ended: trees that stand still are the user's, and as free as any other. */
    @Override
    public void close() throws IOException {
        main.close();
        Files.deleteIfExists(place.folder.resolve(place.mark));
        String[] left = place.folder.toFile().list();
        if (left != null && left.length == 0) {
            Files.delete(place.folder);
        }
    }
}
