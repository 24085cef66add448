package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Work trees of a repository for runs that must not see each other's work, nor the user's. They
 * stand outside of the user's tree, on no branch: so a run needs to write nothing that others
 * share. What it has changed is committed when it has ended, to a branch of its own. The user's
 * branch, index, files and stash are never touched, and no work is ever deleted. Hooks of the
 * repository do not run. Git takes its own locks, so this is used by one thread at a time.
 */
public final class Worktrees implements AutoCloseable {
    private static final List<String> NO_HOOKS =
            List.of(
                    "-c",
                    "commit.gpgsign=false",
                    "-c",
                    "gc.auto=0",
                    "-c",
                    "maintenance.auto=false",
                    "-c",
                    "diff.ignoreSubmodules=dirty"); // git would ask within each submodule

    private static final int STATUS_LETTERS = 3; // two and a blank before a name

    private final Git git;
    private final Path root;
    private final Path prefix;
    private final String base;
    private final Path common;
    private final Place place;

    /**
     * Where trees stand, and what is known of whoever made the repository.
     *
     * @param folder of the trees; made when needed
     * @param mark name of a file in it that tells sandboxes that each tree is alone
     * @param owner what the file holds: the process that this holds for, and only while it lives
     * @param trusted whether filters that the repository names may run
     */
    public record Place(Path folder, String mark, String owner, boolean trusted) {}

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

    private Worktrees(Git git, Path root, Path prefix, String base, Path common, Place place) {
        this.git = git;
        this.root = root;
        this.prefix = prefix;
        this.base = base;
        this.common = common;
        this.place = place;
    }

    /**
     * Looks at the repository of a workspace.
     *
     * @param workspace real path
     * @throws IOException with what is wrong in one line
     */
    public static Worktrees of(Git any, Path workspace, Place place) throws IOException {
        Git.Answer top = any.ask(workspace, List.of("rev-parse", "--show-toplevel"));
        if (!top.complete()) {
            throw new IOException(workspace + " is in no git work tree (git init, and commit)");
        }
        Path root = Path.of(top.text().strip()).toRealPath();
        Git git = place.trusted ? any : withoutFilters(any, root);
        Git.Answer head =
                git.ask(workspace, List.of("rev-parse", "--verify", "-q", "HEAD^{commit}"));
        if (!head.complete()) {
            throw new IOException(root + " has no commit yet (git commit first)");
        }
        Git.Answer common = git.ask(root, List.of("rev-parse", "--git-common-dir"));
        if (!common.complete()) {
            throw new IOException("git cannot say where it keeps " + root);
        }
        return new Worktrees(
                git,
                root,
                root.relativize(workspace),
                head.text().strip(),
                root.resolve(common.text().strip()).toRealPath(),
                place);
    }

    private static Git withoutFilters(Git git, Path folder) throws IOException {
        return git.withoutFilters(folder)
                .orElseThrow(() ->
                        new IOException(
                                "the filters of "
                                        + folder
                                        + " cannot be switched off (agent config trust, if it is yours)"));
    }

    /** The commit that all trees begin with. */
    public String base() {
        return base;
    }

    /** Files of the user's that are not in that commit as they are; they are in no tree. */
    public List<String> uncommitted() throws IOException {
        List<String> words =
                words("status", "--porcelain", "-z", "-unormal", "--ignore-submodules=dirty");
        Git.Answer status = git.ask(root, words);
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
     * @throws IOException if no branch can have that name, because another one has its first part
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
        String name = wish;
        for (int i = 2; isThere("for-each-ref", "refs/heads/" + name); i++) {
            name = wish + "-" + i; // for-each-ref: also what lies below a name takes it
        }
        return name;
    }

    private boolean isThere(String... question) throws IOException {
        Git.Answer answer = git.ask(root, List.of(question));
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
        List<String> words = words("worktree", "add", "-q", "--detach", tree.toString(), base);
        Git.Answer made = git.ask(root, words);
        if (!made.complete()) {
            throw new IOException("the work tree " + tree + " cannot be made: " + made.trouble());
        }
        Git.Answer own = git.ask(tree, List.of("rev-parse", "--absolute-git-dir"));
        Path workspace = tree.resolve(prefix).normalize();
        Files.createDirectories(workspace);
        return new Tree(tree, workspace, branch, Path.of(own.text().strip()));
    }

    /** Commits what was changed, if anything was, and takes away a tree in which nothing was. */
    public Harvest harvest(Tree tree, String message) throws IOException {
        Git own =
                git.with(
                        Map.of(
                                "GIT_DIR", tree.gitFolder.toString(),
                                "GIT_COMMON_DIR", common.toString(),
                                "GIT_WORK_TREE", tree.root.toString()));
        Git safe = place.trusted ? own : withoutFilters(own, tree.root);
        Harvest harvest = new TreeHarvest(safe, tree, base, NO_HOOKS).commit(message);
        boolean nothing = harvest.commit.isEmpty() && harvest.files == 0;
        boolean clean = nothing && harvest.trouble.isEmpty();
        return clean && remove(tree, safe) ? new Harvest("", "", 0, 0, 0, false, "") : harvest;
    }

    /** Only one that holds nothing: ignored files are somebody's work as well. */
    private boolean remove(Tree tree, Git own) throws IOException {
        List<String> look = words("status", "--porcelain", "--ignored");
        Git.Answer left = own.ask(tree.root, look);
        return left.complete()
                && left.text().isBlank()
                && git.ask(root, words("worktree", "remove", tree.root.toString())).complete();
    }

    /** Takes away a tree in which no run has begun, or that was only looked at. */
    public void discard(Tree tree) throws IOException {
        git.ask(root, words("worktree", "remove", "--force", tree.root.toString()));
    }

    /** Runs have ended: trees that stand still are the user's, and as free as any other. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(place.folder.resolve(place.mark));
        String[] left = place.folder.toFile().list();
        if (left != null && left.length == 0) {
            Files.delete(place.folder);
        }
    }

    private static List<String> words(String... words) {
        List<String> all = new ArrayList<>(NO_HOOKS);
        all.addAll(List.of(words));
        return all;
    }
}
