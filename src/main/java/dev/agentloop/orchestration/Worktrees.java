package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Work trees of a repository for runs that must not see each other's work, nor the user's. They
 * stand outside of the user's tree; what runs have changed is committed to branches of their own.
 * The user's branch, index, files and stash are never touched, and no work is ever deleted. Hooks
 * of the repository do not run. Git takes its own locks, so this is used by one thread at a time.
 */
public final class Worktrees {
    private static final List<String> NO_HOOKS =
            List.of(
                    "-c",
                    "commit.gpgsign=false",
                    "-c",
                    "gc.auto=0",
                    "-c",
                    "maintenance.auto=false");

    private final Git git;
    private final Path root;
    private final Path prefix;
    private final String base;
    private final Path folder;

    /**
     * One of them.
     *
     * @param root its folder
     * @param workspace where the run works: the user's workspace in it
     * @param branch of its own; empty for one that is only looked at
     * @param gitFolder what git keeps of it; named to git each time, because a run may write to the
     *     file in the tree that names it
     */
    public record Tree(Path root, Path workspace, String branch, Path gitFolder) {}

    /**
     * What became of one.
     *
     * @param commit of the changes; empty if there were none
     * @param files how many were changed
     * @param kept whether the folder is still there
     * @param trouble why the changes could not be committed; empty if they were
     */
    public record Harvest(
            String commit, int files, int added, int removed, boolean kept, String trouble) {}

    private Worktrees(Git git, Path root, Path prefix, String base, Path folder) {
        this.git = git;
        this.root = root;
        this.prefix = prefix;
        this.base = base;
        this.folder = folder;
    }

    /**
     * Looks at the repository of a workspace.
     *
     * @param workspace real path
     * @param folder where the trees are to stand; made when needed
     * @throws IOException with what is wrong in one line
     */
    public static Worktrees of(Git git, Path workspace, Path folder) throws IOException {
        Git.Answer top = git.ask(workspace, List.of("rev-parse", "--show-toplevel"));
        if (!top.complete()) {
            throw new IOException(workspace + " is in no git work tree (git init, and commit)");
        }
        Path root = Path.of(top.text().strip()).toRealPath();
        Git.Answer head =
                git.ask(workspace, List.of("rev-parse", "--verify", "-q", "HEAD^{commit}"));
        if (!head.complete()) {
            throw new IOException(root + " has no commit yet (git commit first)");
        }
        return new Worktrees(git, root, root.relativize(workspace), head.text().strip(), folder);
    }

    /** The commit that all trees begin with. */
    public String base() {
        return base;
    }

    /** Files of the user's that are not in that commit as they are; they are in no tree. */
    public List<String> uncommitted() throws IOException {
        Git.Answer status = git.ask(root, List.of("status", "--porcelain", "-z", "-unormal"));
        List<String> names = new ArrayList<>();
        for (String entry : status.text().split("\0")) {
            if (entry.length() > 3) {
                names.add(entry.substring(3));
            }
        }
        return names;
    }

    /** A name for a branch that does not exist yet: the wish, or with a number behind it. */
    public String freeBranch(String wish) throws IOException {
        String name = wish;
        for (int i = 2; exists(name); i++) {
            name = wish + "-" + i;
        }
        return name;
    }

    private boolean exists(String branch) throws IOException {
        return git.ask(root, List.of("show-ref", "--verify", "-q", "refs/heads/" + branch))
                .complete();
    }

    /**
     * Makes one at the base commit.
     *
     * @param branch new, of the tree alone; empty for none
     */
    public Tree add(String name, String branch) throws IOException {
        PrivateFiles.ensureDirectory(folder);
        Path place = folder.resolve(name);
        List<String> words = words("worktree", "add", "-q");
        if (branch.isEmpty()) {
            words.add("--detach");
        } else {
            words.addAll(List.of("--no-track", "-b", branch));
        }
        words.addAll(List.of(place.toString(), base));
        demand(root, words, "the work tree " + place + " cannot be made");
        Git.Answer own = git.ask(place, List.of("rev-parse", "--absolute-git-dir"));
        Path workspace = place.resolve(prefix).normalize();
        Files.createDirectories(workspace);
        return new Tree(place, workspace, branch, Path.of(own.text().strip()));
    }

    /** Commits what was changed, if anything was, and takes away a tree in which nothing was. */
    public Harvest harvest(Tree tree, String message) throws IOException {
        List<String> changed = lines(in(tree, "status", "--porcelain", "--untracked-files=all"));
        String trouble = "";
        if (!changed.isEmpty()) {
            trouble = commit(tree, message);
        }
        String tip = in(tree, "rev-parse", "HEAD").text().strip();
        if (tip.equals(base) && changed.isEmpty()) {
            return new Harvest("", 0, 0, 0, !remove(tree), "");
        }
        int[] sums = counts(in(tree, "diff", "--numstat", "--no-renames", base, tip).text());
        String commit = tip.equals(base) ? "" : tip;
        int files = commit.isEmpty() ? changed.size() : sums[0];
        return new Harvest(commit, files, sums[1], sums[2], true, trouble);
    }

    private String commit(Tree tree, String message) throws IOException {
        Git.Answer added = in(tree, "add", "-A");
        if (!added.complete()) {
            return added.trouble();
        }
        List<String> words = new ArrayList<>();
        if (!in(tree, "var", "GIT_COMMITTER_IDENT").complete()) { // nobody has told git a name
            words.addAll(List.of("-c", "user.name=agent", "-c", "user.email=agent@localhost"));
        }
        words.addAll(List.of("commit", "-q", "--no-verify", "-m", message));
        Git.Answer done = in(tree, words.toArray(String[]::new));
        return done.complete() ? "" : done.trouble();
    }

    /** Only one that holds nothing: ignored files are somebody's work as well. */
    private boolean remove(Tree tree) throws IOException {
        boolean clean =
                in(tree, "status", "--porcelain", "--ignored").text().isBlank()
                        && git.ask(root, words("worktree", "remove", tree.root().toString()))
                                .complete();
        if (clean && !tree.branch().isEmpty()) { // deleted only while it is where it began
            git.ask(root, words("update-ref", "-d", "refs/heads/" + tree.branch(), base));
        }
        return clean;
    }

    /** Takes away a tree that was only looked at, with all that a run has left in it. */
    public void discard(Tree tree) throws IOException {
        if (!tree.branch().isEmpty()) {
            throw new IllegalArgumentException("work on a branch is not thrown away");
        }
        git.ask(root, words("worktree", "remove", "--force", tree.root().toString()));
    }

    private static int[] counts(String numstat) {
        int[] sums = new int[3];
        for (String line : numstat.split("\n")) {
            String[] parts = line.split("\t", 3);
            if (parts.length == 3) {
                sums[0]++;
                sums[1] += number(parts[0]);
                sums[2] += number(parts[1]);
            }
        }
        return sums;
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0; // "-" of a binary file
    }

    private static List<String> lines(Git.Answer answer) throws IOException {
        if (!answer.complete()) {
            throw new IOException(answer.trouble());
        }
        return answer.text().lines().toList();
    }

    private Git.Answer in(Tree tree, String... words) throws IOException {
        List<String> all = words("--git-dir=" + tree.gitFolder(), "--work-tree=" + tree.root());
        all.addAll(List.of(words));
        return git.ask(tree.root(), all);
    }

    private static List<String> words(String... words) {
        List<String> all = new ArrayList<>(NO_HOOKS);
        all.addAll(List.of(words));
        return all;
    }

    private void demand(Path where, List<String> words, String otherwise) throws IOException {
        Git.Answer answer = git.ask(where, words);
        if (!answer.complete()) {
            String first = Optional.of(answer.trouble()).filter(it -> !it.isEmpty()).orElse("");
            throw new IOException(otherwise + ": " + first);
        }
    }
}
