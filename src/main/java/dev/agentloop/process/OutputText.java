package dev.agentloop.process;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the output of a program readable: no escape sequences, no control characters, progress bars
 * reduced to their last state.
 */
public final class OutputText {
    private static final int REPEATED = 10; // lines; fewer are read sooner than explained
    private static final Pattern SHARE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?%");
    private static final int LONGEST_PROGRESS = 500; // characters: a match takes stack for each
    private static final Pattern COUNT = // 17/50
            Pattern.compile("(?:^|[\\s(\\[])(\\d{1,9})/(\\d{1,9})(?=$|[\\s)\\]:,])");
    private static final Pattern STEP = // [17/50] Compiling main.c
            Pattern.compile(
                    "\\s*\\[ *\\d{1,9}/(\\d{1,9})] +"
                            + "(Building|Compiling|Copying|Downloading|Emitting|Generating|Installing"
                            + "|Linking) (?:(?:C|CXX|ASM|CUDA) (?:object|executable"
                            + "|(?:static|shared) (?:library|module)) )?"
                            + "[^\\s:]+(?: [^\\s:]*[./][^\\s:]*[^\\s:.])?");
    private static final Pattern BAR = Pattern.compile("[█▏▎▍▌▋▊▉▓░━╸╺#=> .|\\[\\]-]+");
    private static final Pattern DOTS = Pattern.compile(" *\\d+[KMG] [. ]+"); // of wget
    private static final Pattern MEASURES = // sizes, times, counts and speeds behind a share
            Pattern.compile(
                    "(?i)(?:[^\\p{L}]|(?<!\\p{L})(?:of|in|at|eta|left|done|completed?|remaining|elapsed|it"
                            + "|[kmgt]?i?b(?:ytes)?|[kmgt]|s|ms|sec|min|m|h|d)(?!\\p{L}))*");
    private static final Pattern TROUBLE = Pattern.compile("(?i)error|warn|fail");
    private static final Pattern TRACK = // of a bar: shares and counts alone may be results
            Pattern.compile(
                    "\\[[█▏▎▍▌▋▊▉▓░━╸╺#=>. -]{5,}+]|\\|[█▏▎▍▌▋▊▉▓░#=> -]{5,}+\\||[━╸╺]{8}| \\.{10}");
    private static final Pattern WORK = // that goes on
            Pattern.compile(
                    "(?i)^\\s*(?:progress|(?:building|compiling|compressing|copying|counting|downloading"
                            + "|extracting|fetching|installing|loading|processing|reading|receiving"
                            + "|resolving|unpacking|uploading|writing)\\b)[^:]{0,40}[: ]");
    private static final Pattern PACE = // 3.1MB/s, 12it/s, eta 0:05
            Pattern.compile("(?i)\\d ?(?:[kmgt]?i?b(?:ytes)?|it)/s|\\b(?:eta|remaining)\\b");
    private static final Pattern ESCAPES =
            Pattern.compile(
                    "(?:\\x1B\\[|\\x9B)[0-?]*+[ -/]*+[@-~]" // colours, cursor
                            + "|\\x1B\\][^\\x07\\x1B]*+(?:\\x07|\\x1B\\\\)?" // titles, links
                            + "|\\x1B[PX^_][^\\x1B]*+(?:\\x1B\\\\)?"
                            + "|\\x1B[ -/]*+[0-~]?");

    private OutputText() {}

    /** The text as a person would have seen it in the end. */
    public static String clean(String raw) {
        if (isPlain(raw)) {
            return raw;
        }
        String text =
                raw.indexOf('\u001B') < 0 && raw.indexOf('\u009B') < 0
                        ? raw
                        : ESCAPES.matcher(raw).replaceAll("");
        StringBuilder clean = new StringBuilder(text.length());
        int start = 0;
        while (start <= text.length()) {
            int end = text.indexOf('\n', start);
            String line = text.substring(start, end < 0 ? text.length() : end);
            clean.append(withoutControls(lastState(line)));
            if (end < 0) {
                break;
            }
            clean.append('\n');
            start = end + 1;
        }
        return clean.toString();
    }

    /**
     * The text with ten and more equal lines reduced to the first of them, and the lines of one
     * progress to the last: a share or a count that rises beside a bar, a speed or a word such as
     * "Downloading", with nothing else that differs but sizes and times, or steps of a compiler. A
     * line that says more stays, and so do shares and counts alone: they may be what the program
     * was run for.
     */
    public static String folded(String text) {
        List<String> lines = List.of(text.split("\n", -1));
        StringBuilder folded = new StringBuilder();
        for (int at = 0; at < lines.size(); ) {
            String line = lines.get(at);
            int equal = run(lines, at, line::equals);
            int alike = equal >= REPEATED ? 0 : progress(lines, at);
            int taken = Math.max(1, Math.max(equal >= REPEATED ? equal : 0, alike));
            folded.append(at == 0 ? "" : "\n").append(lines.get(alike > 0 ? at + taken - 1 : at));
            if (taken > 1) {
                folded.append(alike > 0 ? "\n[after " : "\n[and ").append(taken - 1);
                folded.append(alike > 0 ? " such lines]" : " times more]");
            }
            at += taken;
        }
        return folded.toString();
    }

    /** How many lines of one progress bar follow each other; 0 if they are too few. */
    private static int progress(List<String> lines, int at) {
        String line = lines.get(at);
        if (line.length() > LONGEST_PROGRESS || !isProgress(line)) {
            return 0;
        }
        String shape = shape(line);
        double[] reached = new double[1]; // a list of shares goes up and down
        int alike =
                run(
                        lines,
                        at,
                        next -> {
                            if (next.length() > LONGEST_PROGRESS) {
                                return false;
                            }
                            double share = share(next);
                            boolean goesOn = share < 0 || share >= reached[0];
                            reached[0] = share;
                            return goesOn && shape(next).equals(shape);
                        });
        return alike >= REPEATED ? alike : 0;
    }

    private static boolean isProgress(String line) {
        boolean moves =
                TRACK.matcher(line).find()
                        || PACE.matcher(line).find()
                        || WORK.matcher(line).find();
        return !TROUBLE.matcher(line).find()
                && (moves && share(line) >= 0 || STEP.matcher(line).matches());
    }

    /** The number before the per cent sign or the first of 17/50; -1 without one. */
    private static double share(String line) {
        Matcher share = SHARE.matcher(line);
        if (share.find()) {
            return Double.parseDouble(share.group(1));
        }
        Matcher count = COUNT.matcher(line);
        return count.find() ? Double.parseDouble(count.group(1)) : -1;
    }

    /** What lines of one progress have in common; beside a count, other numbers are results. */
    private static String shape(String line) {
        Matcher step = STEP.matcher(line);
        if (step.matches()) {
            return "/" + step.group(1) + " " + step.group(2);
        }
        Matcher share = SHARE.matcher(line);
        if (!share.find()) {
            return BAR.matcher(COUNT.matcher(line).replaceFirst("/$2")).replaceAll(" ");
        }
        String before = DOTS.matcher(line.substring(0, share.start())).replaceAll("");
        String behind = line.substring(share.end());
        return BAR.matcher(before).replaceAll(" ")
                + (MEASURES.matcher(behind).matches() ? "%" : line);
    }

    private static int run(List<String> lines, int at, Predicate<String> same) {
        int end = at + 1;
        while (end < lines.size() && same.test(lines.get(end))) {
            end++;
        }
        return end - at;
    }

    /** The first line, for a list. */
    public static String line(String text, int most) {
        String first = clean(text).strip().lines().findFirst().orElse("");
        boolean whole = first.length() <= most && first.length() == text.strip().length();
        return whole ? first : first.substring(0, Math.min(most, first.length())) + "…";
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' && isControl(c)) {
                return false;
            }
        }
        return true;
    }

    /** A carriage return starts the line anew; at the end of a line it says nothing. */
    private static String lastState(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == '\r') {
            end--;
        }
        return line.substring(line.lastIndexOf('\r', end - 1) + 1, end);
    }

    private static String withoutControls(String line) {
        StringBuilder kept = null;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (isControl(c) && kept == null) {
                kept = new StringBuilder(line.length()).append(line, 0, i);
            }
            if (kept == null) {
                continue;
            }
            if (c == 0) {
                kept.append("\\0"); // parts names of files
            } else if (c == '\b' && !kept.isEmpty()) {
                kept.setLength(kept.length() - 1); // overstrike, as in manual pages
            } else if (!isControl(c)) {
                kept.append(c);
            }
        }
        return kept == null ? line : kept.toString();
    }

    private static boolean isControl(char c) {
        return c != '\t' && Character.isISOControl(c);
    }
}
