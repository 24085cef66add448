package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

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

    Worktrees.Harvest commit(String message) throws IOException {
        for (String lock : List.of("index.lock", "HEAD.lock")) { // of commands that were killed
            Files.deleteIfExists(tree.gitFolder().resolve(lock));
        }
        detach();
        List<String> changed = lines("status", "--porcelain", "--untracked-files=all");
        String trouble = changed.isEmpty() ? "" : commitAll(message);
        String tip = line("rev-parse", "HEAD");
        if (tip.equals(base)) {
            String lost = changed.isEmpty() ? elsewhere() : trouble;
            return new Worktrees.Harvest("", "", changed.size(), 0, 0, true, lost);
        }
        String branch = branch(tip);
        if (branch.isEmpty() && trouble.isEmpty()) {
            trouble = "no branch can be made for " + tip;
        }
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

    /** Work that the run has committed and left again; empty if there is none. */
    private String elsewhere() throws IOException {
        for (String commit : ask("log", "-g", "--format=%H", "HEAD").text().split("\n")) {
            if (!commit.isBlank() && !isOld(commit.strip())) {
                return "the run has made commit "
                        + commit.strip()
                        + " and has left it again: it is on no branch";
            }
        }
        return "";
    }

    private boolean isOld(String commit) throws IOException {
        return commit.equals(base)
                || !line("for-each-ref", "--count=1", "--contains=" + commit).isEmpty();
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
