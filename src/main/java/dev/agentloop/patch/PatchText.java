package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a patch without what models wrap it in: fences, a shell's heredoc, an indentation of
 * the whole.
 *
 * @param lines without their ends
 * @param windows which of them end with CR LF
 */
record PatchText(List<String> lines, BitSet windows) {
    private static final Pattern HEREDOC =
            Pattern.compile(
                    "(?:\\$ *)?(?:apply_patch|patch|git apply)\\b.*<<-? *['\"]?(\\w+)['\"]?.*");

    static PatchText of(String text) {
        List<String> lines = new ArrayList<>();
        BitSet windows = new BitSet();
        for (String line : text.split("\n", -1)) {
            boolean ends = line.endsWith("\r");
            windows.set(lines.size(), ends);
            lines.add(ends ? line.substring(0, line.length() - 1) : line);
        }
        if (lines.getFirst().startsWith("\uFEFF")) {
            lines.set(0, lines.getFirst().substring(1));
        }
        blankLast(lines);
        unwrap(lines);
        unindent(lines);
        return new PatchText(List.copyOf(lines), windows);
    }

    int size() {
        return lines.size();
    }

    String line(int at) {
        return at < lines.size() ? lines.get(at) : "";
    }

    private static void blankLast(List<String> lines) {
        while (!lines.isEmpty() && lines.getLast().isBlank()) {
            lines.removeLast();
        }
    }

    /** Wrappers become empty lines, so that line numbers stay right. */
    private static void unwrap(List<String> lines) {
        int first = 0;
        while (first < lines.size() && lines.get(first).isBlank()) {
            first++;
        }
        if (first >= lines.size() - 1) {
            return;
        }
        String head = lines.get(first).strip();
        Matcher heredoc = HEREDOC.matcher(head);
        boolean fence = head.startsWith("```") && lines.getLast().strip().equals("```");
        boolean document = heredoc.matches() && lines.getLast().strip().equals(heredoc.group(1));
        if (fence || document) {
            lines.set(first, "");
            lines.removeLast();
            blankLast(lines);
            unwrap(lines);
        }
    }

    /** An indentation that all lines share, from the one that begins the patch on. */
    private static void unindent(List<String> lines) {
        int begin = 0;
        while (begin < lines.size() && !lines.get(begin).strip().startsWith("*** ")) {
            begin++;
        }
        if (begin == lines.size()) {
            return;
        }
        String line = lines.get(begin);
        String indent = line.substring(0, line.indexOf('*'));
        boolean shared =
                lines.subList(begin, lines.size()).stream()
                        .allMatch(each -> each.isBlank() || each.startsWith(indent));
        if (shared && !indent.isEmpty()) {
            for (int i = begin; i < lines.size(); i++) {
                String each = lines.get(i);
                lines.set(i, each.startsWith(indent) ? each.substring(indent.length()) : "");
            }
        }
    }
}
