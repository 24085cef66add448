package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
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
 * @param git asks in this one tree, whatever the files in it say
 * @param before words of each question
 */
record TreeHarvest(Git git, Worktrees.Tree tree, String base, List<String> before) {
    private static final int MOST_NAMES = 20; // that others may have taken while the run worked

    private static final int MOST_VISITED = 2_000; // commits; as many fit into one command line

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
        String unfinished = unfinished(); // before a commit, which ends a merge
        detach();
        List<String> changed = lines("status", "--porcelain", "--untracked-files=all");
        String trouble = changed.isEmpty() ? "" : commitAll(message);
        String tip = line("rev-parse", "HEAD");
        if (tip.equals(base)) {
            String lost = all(trouble, unfinished, elsewhere());
            return new Worktrees.Harvest("", "", changed.size(), 0, 0, true, lost);
        }
        String branch = branch(tip);
        if (branch.isEmpty() && trouble.isEmpty()) {
            trouble = "no branch can be made for " + tip;
        }
        trouble = all(trouble, unfinished, elsewhere());
        int[] sums =
                counts(
                        lines(
                                "diff",
                                "--numstat",
                                "--no-renames",
                                "--no-ext-diff",
                                "--no-textconv",
                                base,
                                tip));
        return new Worktrees.Harvest(branch, tip, sums[0], sums[1], sums[2], true, trouble);
    }

    /** From a branch that the run has gone to, at its commit: what follows must not move it. */
    private void detach() throws IOException {
        if (ask("symbolic-ref", "-q", "HEAD").complete()) {
            Git.Answer at = ask("rev-parse", "--verify", "-q", "HEAD^{commit}");
            String tip = at.complete() ? at.text().strip() : base; // of a branch yet unborn
            Git.Answer done = ask("update-ref", "--no-deref", "HEAD", tip);
            if (!done.complete()) {
                throw new IOException(done.trouble());
            }
        }
    }

    private String commitAll(String message) throws IOException {
        Git.Answer added = ask("add", "-A");
        if (!added.complete()) {
            return added.trouble();
        }
        List<String> words = new ArrayList<>();
        if (!ask("var", "GIT_COMMITTER_IDENT").complete()) { // nobody has told git a name
            words.addAll(List.of("-c", "user.name=agent", "-c", "user.email=agent@localhost"));
        }
        words.addAll(List.of("commit", "-q", "--no-verify", "-m", message));
        Git.Answer done = ask(words.toArray(String[]::new));
        return done.complete() ? "" : done.trouble();
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
    private String elsewhere() throws IOException {
        List<String> words = new ArrayList<>(List.of("rev-list", "--max-count=1", "--topo-order"));
        words.add("--ignore-missing");
        words.addAll(visited());
        words.addAll(List.of("--not", base, "--single-worktree", "--all"));
        Git.Answer left = ask(words.toArray(String[]::new));
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
    private Set<String> visited() throws IOException {
        Set<String> commits = new LinkedHashSet<>(List.of(base));
        boolean replaced = false;
        for (String line : ask("log", "-g", "--format=%H %gs", "HEAD").text().split("\n")) {
            String commit = line.strip().split(" ", 2)[0];
            if (!commit.isEmpty() && !replaced && commits.size() < MOST_VISITED) {
                commits.add(commit);
            }
            replaced = line.contains(" commit (amend)");
        }
        return commits;
    }

    /** The one that was wished for, or with a number; empty if none can be made. */
    private String branch(String tip) throws IOException {
        String name = tree.branch();
        for (int i = 2; i <= MOST_NAMES; i++) {
            String ref = "refs/heads/" + name;
            if (ask("update-ref", ref, tip, "").complete()) { // only if there is none
                ask("symbolic-ref", "HEAD", ref);
                return name;
            }
            name = tree.branch() + "-" + i;
        }
        return "";
    }

    private static int[] counts(List<String> numstat) {
        int[] sums = new int[3];
        for (String line : numstat) {
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

    private List<String> lines(String... words) throws IOException {
        Git.Answer answer = ask(words);
        if (!answer.complete()) {
            throw new IOException(answer.trouble());
        }
        return answer.text().lines().toList();
    }

    private String line(String... words) throws IOException {
        return ask(words).text().strip();
    }

    private Git.Answer ask(String... words) throws IOException {
        List<String> all = new ArrayList<>(before);
        all.addAll(List.of(words));
        return git.ask(tree.root(), all);
    }
}
