package dev.agentloop.prompt;

import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a work tree stands: branch, main branch, how much is changed, the last commits. Names and
 * subjects are foreign text: each stays within its line.
 */
public final class GitState {
    private static final int COMMITS = 5;
    private static final int MAX_LINE = 100; // characters of a name or a subject
    private static final String HEAD = "# branch.head ";
    private static final String UPSTREAM = "# branch.upstream ";
    private static final String DISTANCE = "# branch.ab ";

    private final PrivateGitFolder git;
    private final long deadline;
    private final List<String> lines = new ArrayList<>();

    private GitState(PrivateGitFolder git, long deadline) {
        this.git = git;
        this.deadline = deadline;
    }

    /**
     * Asks git.
     *
     * @param patience for all questions together; what has not been answered then is left away
     * @return several lines; empty if git says nothing
     */
    public static String of(Git git, Path root, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        try (PrivateGitFolder questions = PrivateGitFolder.around(git, root)) {
            GitState state = new GitState(questions, deadline);
            state.tell();
            return String.join("\n", state.lines);
        } catch (IOException e) {
            return "";
        }
    }

    private void tell() {
        try {
            status();
            commits();
        } catch (IOException e) {
            return; // what is known by now is all there is to say
        }
    }

    private void status() throws IOException {
        Git.Answer answer =
                git.ask(
                        List.of(
                                "status",
                                "--porcelain=v2",
                                "--branch",
                                "--no-renames",
                                "--ignore-submodules=all",
                                "--untracked-files=normal",
                                "-z"));
        if (!answer.complete()) {
            return;
        }
        String branch = "";
        String upstream = "";
        int[] counts = new int[3]; // staged, changed, untracked
        for (String entry : answer.text().split("\0")) {
            if (entry.startsWith(HEAD)) {
                branch = entry.substring(HEAD.length());
            } else if (entry.startsWith(UPSTREAM)) {
                upstream += ", upstream " + line(entry.substring(UPSTREAM.length()));
            } else if (entry.startsWith(DISTANCE)) {
                upstream += " (" + entry.substring(DISTANCE.length()) + ")";
            } else {
                count(entry, counts);
            }
        }
        lines.add("Git branch: " + line(branch) + upstream + main(branch));
        lines.add(
                "Files: %d staged, %d changed, %d untracked"
                        .formatted(counts[0], counts[1], counts[2]));
    }

    private static void count(String entry, int[] counts) {
        if (entry.startsWith("? ")) {
            counts[2]++;
        } else if (entry.length() > 3 && (entry.startsWith("1 ") || entry.startsWith("u "))) {
            counts[0] += entry.charAt(2) == '.' ? 0 : 1;
            counts[1] += entry.charAt(3) == '.' ? 0 : 1;
        }
    }

    /**
     * Where the default branch is known: by the remote's head, or because there is one so named.
     */
    private String main(String branch) throws IOException {
        if (System.nanoTime() > deadline) {
            return "";
        }
        Git.Answer answer =
                git.ask(
                        List.of(
                                "for-each-ref",
                                "--format=%(refname:short) %(symref:short)",
                                "refs/remotes/origin/HEAD",
                                "refs/heads/main",
                                "refs/heads/master"));
        List<String> found = answer.complete() ? answer.text().lines().toList() : List.of();
        for (int i = found.size() - 1; i >= 0; i--) { // the remote's comes last
            String[] names = found.get(i).strip().split(" ");
            String main = names[names.length - 1];
            if (!main.equals(branch) && !main.isEmpty()) {
                return ", main branch " + line(main);
            }
        }
        return "";
    }

    private void commits() throws IOException {
        if (System.nanoTime() > deadline) {
            return;
        }
        Git.Answer answer =
                git.ask(List.of("log", "-n", "" + COMMITS, "--no-color", "--format=%h %s"));
        if (answer.complete() && !answer.text().isBlank()) {
            lines.add("Last commits:");
            answer.text().lines().limit(COMMITS).forEach(commit -> lines.add("  " + line(commit)));
        }
    }

    private static String line(String text) {
        String line = GuidanceFile.visible(text).replace('\n', ' ').replace('<', '‹').strip();
        return line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE - 1) + "…";
    }
}
