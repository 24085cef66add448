package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What a run has changed, as git sees it.
 *
 * @param files each once, in git's order
 * @param lack why this is not all; empty if it is
 */
public record WorkDiff(List<FileDiff> files, String lack) {
    /** Of a run that nobody has looked at. */
    static final WorkDiff NONE = new WorkDiff(List.of(), "");

    private static final int MOST_READ = 2_000_000; // bytes of what git prints
    private static final int MOST_OF_RUN = 200_000; // characters that are kept
    private static final int MOST_OF_FILE = 60_000; // so that one file hides no others

    /** Only line feeds end a line of git's: a file may hold all the others. */
    private static final Pattern EACH_FILE = Pattern.compile("(?md)^(?=diff --git )");

    private static final Pattern HEADER =
            Pattern.compile("(?md)^(?:diff --git|index|---|\\+\\+\\+) .*\n?");
    private static final String NEW = "diff --git ";

    public WorkDiff {
        files = List.copyOf(files);
    }

    /**
     * A file that the run has added, changed or deleted.
     *
     * @param name as git writes it: in quotes if it holds what is not seen
     * @param added lines; 0 of a binary file
     * @param text lines that begin with a sign, below where they stand; empty if not kept
     */
    public record FileDiff(String name, int added, int removed, String text) {}

    /** Lines that all files have more. */
    public int added() {
        return files.stream().mapToInt(FileDiff::added).sum();
    }

    /** Lines that all files have lost. */
    public int removed() {
        return files.stream().mapToInt(FileDiff::removed).sum();
    }

    /** That there is none, and why. */
    static WorkDiff lacking(String why) {
        return new WorkDiff(List.of(), why);
    }

    /** The files that differ between two commits or trees, without their text. */
    static List<FileDiff> counted(PrivateGitFolder git, String from, String to) throws IOException {
        Git.Answer answer = git.ask(words("--numstat", from, to));
        if (!answer.complete()) {
            throw new IOException(answer.trouble());
        }
        List<FileDiff> files = new ArrayList<>();
        for (String line : answer.text().split("\n")) {
            String[] parts = line.split("\t", 3);
            if (parts.length == 3) {
                files.add(new FileDiff(parts[2], number(parts[0]), number(parts[1]), ""));
            }
        }
        return files;
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0; // "-" of a binary file
    }

    private static List<String> words(String form, String from, String to) {
        return List.of(
                "diff-tree",
                "-r",
                form,
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                from,
                to);
    }

    /**
     * The difference of two commits or trees, as much of it as a person looks through.
     *
     * @param mask hides what is secret, before anything is cut: half a secret is not known
     */
    static WorkDiff between(
            PrivateGitFolder git, String from, String to, UnaryOperator<String> mask)
            throws IOException {
        List<FileDiff> files = counted(git, from, to);
        Path printed = git.file("patch");
        if (!git.ask(Path.of("/dev/null"), printed, words("-p", from, to)).complete()) {
            return new WorkDiff(files, "git has not said how the files differ");
        }
        Map<String, String> texts = texts(mask.apply(read(printed)));
        boolean all = Files.size(printed) <= MOST_READ;
        int left = MOST_OF_RUN;
        for (int i = 0; i < files.size(); i++) {
            FileDiff file = files.get(i);
            String whole = texts.getOrDefault(mask.apply(file.name), "");
            String text = cut(whole, Math.min(left, MOST_OF_FILE));
            all &= text.length() == whole.length();
            left = Math.max(0, left - text.length());
            files.set(i, new FileDiff(file.name, file.added, file.removed, text));
        }
        Files.delete(printed);
        return new WorkDiff(files, all ? "" : "it is too long to be kept whole");
    }

    private static String read(Path printed) throws IOException {
        try (InputStream in = Files.newInputStream(printed)) {
            String text = new String(in.readNBytes(MOST_READ), StandardCharsets.UTF_8);
            return text.replace("\r\n", "\n");
        }
    }

    /** By the name of each file, without what the name says already. */
    private static Map<String, String> texts(String patch) {
        Map<String, String> texts = new HashMap<>();
        for (String part : EACH_FILE.split(patch)) {
            if (part.startsWith(NEW)) {
                int end = part.indexOf('\n');
                int hunks = part.indexOf("\n@@ ");
                String head = hunks < 0 ? part : part.substring(0, hunks + 1);
                String body = hunks < 0 ? "" : part.substring(hunks + 1);
                String text = HEADER.matcher(head).replaceAll("") + body;
                texts.merge(name(part.substring(NEW.length(), end)), text, String::concat);
            }
        }
        return texts;
    }

    /** Of {@code a/NAME b/NAME}; without renames both are one. */
    private static String name(String both) {
        String first = both.substring(0, both.length() / 2);
        return first.startsWith("\"") ? "\"" + first.substring(3) : first.substring(2);
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int line = text.lastIndexOf('\n', most) + 1;
        int half = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? 1 : 0;
        int end = line > 0 ? line : most - half;
        return text.substring(0, end)
                + (line > 0 ? "" : "\n")
                + "… %,d more characters are left out\n".formatted(text.length() - end);
    }
}
