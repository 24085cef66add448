package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.git.TreeSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings what a run has left in its work tree to a branch. The run may have committed itself, may
 * have gone to another branch or commit, or may have been killed in the middle of one of git's
 * commands: none of that moves a branch of the user's, and none of it loses work.
 *
 * <p>The run could write all that git keeps of its tree. So those files are read, never followed
 * where they are links, and replaced in the end; no command of git's opens them for writing.
 *
 * @param git asks about this one tree, whatever the files in it say
 */
record TreeHarvest(PrivateGitFolder git, Worktrees.Tree tree, String base) {
    private static final int MOST_NAMES = 20; // that others may have taken while the run worked

    private static final int MOST_VISITED = 2_000; // commits; as many fit into one command line
    private static final long MOST_OF_LOG = 16 * 1024 * 1024; // bytes of what HEAD has been
    private static final int MOST_OF_MERGE = 4_096; // bytes: as many parents as anybody needs

    /** What git keeps in its folder while a command is not done; of a rebase before its steps. */
    private static final List<Map.Entry<String, String>> UNFINISHED =
            List.of(
                    Map.entry("rebase-merge", "rebase"),
                    Map.entry("rebase-apply", "rebase"),
                    Map.entry("MERGE_HEAD", "merge"),
                    Map.entry("CHERRY_PICK_HEAD", "cherry-pick"),
                    Map.entry("REVERT_HEAD", "revert"));

    Worktrees.Harvest commit(String message) throws IOException {
        for (String lock : List.of("index.lock", "HEAD.lock")) { // of commands that were killed
            Files.deleteIfExists(tree.gitFolder().resolve(lock));
        }
        String unfinished = unfinished();
        List<String> visited = visited();
        String head = head();
        git.writeHead(head); // the run may be on a branch, which what follows must not move
        TreeSnapshot snapshot = TreeSnapshot.of(git);
        String tip = head;
        String trouble = snapshot.trouble();
        if (!snapshot.tree().isEmpty()) {
            if (!snapshot.tree().equals(line("rev-parse", head + "^{tree}"))) {
                tip = snapshot.commit(parents(head), message);
                git.writeHead(tip);
            }
            replace("index", Files.readAllBytes(snapshot.index()));
        }
        if (tip.equals(base)) {
            settle(tip);
            String lost = all(trouble, unfinished, elsewhere(visited));
            return new Worktrees.Harvest("", "", snapshot.changed(), 0, 0, true, lost);
        }
        String branch = branch(tip);
        settle(branch.isEmpty() ? tip : "ref: refs/heads/" + branch);
        if (branch.isEmpty() && trouble.isEmpty()) {
            trouble = "no branch can be made for " + tip;
        }
        trouble = all(trouble, unfinished, elsewhere(visited));
        WorkDiff work = new WorkDiff(WorkDiff.counted(git, base, tip), "");
        int files = work.files().size();
        return new Worktrees.Harvest(
                branch, tip, files, work.added(), work.removed(), true, trouble);
    }

    /** Whether nothing is left that would go with the tree; also ignored files are somebody's. */
    boolean isEmpty() throws IOException {
        Git.Answer left =
                git.ask(List.of("status", "--porcelain", "--ignored", "--ignore-submodules=dirty"));
        return left.complete() && left.text().isBlank() && !TreeSnapshot.hasRepositories(git);
    }

    /** The commit that the tree stands at. */
    private String head() throws IOException {
        Git.Answer at = ask("rev-parse", "--verify", "-q", "HEAD^{commit}");
        return at.complete() ? at.text().strip() : base; // of a branch yet unborn
    }

    private void settle(String head) throws IOException {
        replace("HEAD", (head + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** By renaming: what stands there may be a link that the run has made. */
    private void replace(String name, byte[] content) throws IOException {
        Path fresh = tree.gitFolder().resolve(name + "." + Long.toHexString(System.nanoTime()));
        Files.write(fresh, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(fresh, tree.gitFolder().resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private List<String> parents(String head) throws IOException {
        List<String> parents = new ArrayList<>(List.of(head));
        for (String line : text("MERGE_HEAD", MOST_OF_MERGE).lines().toList()) {
            if (line.matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
                parents.add(line);
            }
        }
        return parents;
    }

    /** A file that git keeps of the tree; empty if it is none, or longer. */
    private String text(String name, long mostBytes) throws IOException {
        Path file = tree.gitFolder().resolve(name);
        boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        return plain && Files.size(file) <= mostBytes
                ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                : "";
    }

    private static String all(String... troubles) {
        return Stream.of(troubles).filter(it -> !it.isEmpty()).collect(Collectors.joining("; "));
    }

    /** What the run was in the middle of, as git notes it; empty if of nothing. */
    private String unfinished() {
        for (Map.Entry<String, String> one : UNFINISHED) {
            if (Files.exists(tree.gitFolder().resolve(one.getKey()), LinkOption.NOFOLLOW_LINKS)) {
                return "the run has ended in the middle of a %s: see git status in %s"
                        .formatted(one.getValue(), tree.root());
            }
        }
        return "";
    }

    /** Work that the run has committed and left again; empty if there is none. */
    private String elsewhere(List<String> visited) throws IOException {
        List<String> words = new ArrayList<>(List.of("rev-list", "--max-count=1", "--topo-order"));
        words.add("--ignore-missing");
        words.addAll(visited);
        words.addAll(List.of("--not", base, "--single-worktree", "--all"));
        Git.Answer left = git.ask(words);
        if (!left.complete()) {
            return "what the run has committed cannot be looked through: " + left.trouble();
        }
        String commit = left.text().strip();
        return commit.isEmpty()
                ? ""
                : "the run has made commit "
                        + commit
                        + " and has left it again: it is on no branch";
    }

    /** Commits that the tree has stood at, but for those that an amended one has replaced. */
    private List<String> visited() throws IOException {
        Set<String> commits = new LinkedHashSet<>(List.of(base));
        boolean replaced = false;
        List<String> lines = new ArrayList<>(text("logs/HEAD", MOST_OF_LOG).lines().toList());
        Collections.reverse(lines); // the last one comes first
        for (String line : lines) { // before, after, who and when, a tab, what was done
            String[] ids = line.split(" ", 3);
            boolean named = ids.length == 3 && ids[1].matches("[0-9a-f]{40}|[0-9a-f]{64}");
            if (named && !replaced && commits.size() < MOST_VISITED) {
                commits.add(ids[1]);
            }
            replaced = line.contains("\tcommit (amend)");
        }
        return List.copyOf(commits);
    }

    /** The one that was wished for, or with a number; empty if none can be made. */
    private String branch(String tip) throws IOException {
        String name = tree.branch();
        for (int i = 2; i <= MOST_NAMES; i++) {
            String ref = "refs/heads/" + name;
            if (ask("update-ref", ref, tip, "").complete()) { // only if there is none
                return name;
            }
            name = tree.branch() + "-" + i;
        }
        return "";
    }

    private String line(String... words) throws IOException {
        return ask(words).text().strip();
    }

    private Git.Answer ask(String... words) throws IOException {
        return git.ask(List.of(words));
    }
}
