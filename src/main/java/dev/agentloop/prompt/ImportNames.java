package dev.agentloop.prompt;

import java.util.ArrayList;
import java.util.List;

/** The {@code @path} words of a Markdown text, but not those in code. */
final class ImportNames {
    private static final String CLOSING = ".,;:!?)]}\"'*_";
    private static final int MAX = 50; // of one file; a real one has a few

    private ImportNames() {}

    static List<String> in(String text) {
        List<String> names = new ArrayList<>();
        String fence = "";
        for (String line : text.split("\n", -1)) {
            String start = line.stripLeading();
            if (!fence.isEmpty()) {
                fence = closes(start, fence) ? "" : fence;
            } else if (start.startsWith("```") || start.startsWith("~~~")) {
                fence = run(start);
            } else if (names.size() < MAX) {
                words(withoutSpans(line), names);
            }
        }
        return names;
    }

    private static String run(String line) {
        int length = 0;
        while (length < line.length() && line.charAt(length) == line.charAt(0)) {
            length++;
        }
        return line.substring(0, length);
    }

    private static boolean closes(String line, String fence) {
        return line.startsWith(fence) && line.stripTrailing().equals(run(line));
    }

    /** A span ends with as many backticks as it begins with; one that does not end is none. */
    private static String withoutSpans(String line) {
        StringBuilder rest = new StringBuilder();
        int at = 0;
        while (at < line.length()) {
            if (line.charAt(at) != '`') {
                rest.append(line.charAt(at));
                at++;
                continue;
            }
            String ticks = run(line.substring(at));
            int end = line.indexOf(ticks, at + ticks.length());
            at = end < 0 ? at + ticks.length() : end + ticks.length();
            rest.append(end < 0 ? ticks : "`");
        }
        return rest.toString();
    }

    private static void words(String line, List<String> names) {
        for (String word : line.split("[\\s(\\[\"']+")) {
            int end = word.length();
            while (end > 1 && CLOSING.indexOf(word.charAt(end - 1)) >= 0) {
                end--;
            }
            if (end > 1 && word.charAt(0) == '@') {
                names.add(word.substring(1, end));
            }
        }
    }
}
