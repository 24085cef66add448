package dev.agentloop.session.export;

import dev.agentloop.session.PlainText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of others within a Markdown document: it shows code as code and all else as the words that
 * it is. No HTML, link, image, heading or open fence of it takes effect.
 */
final class MarkdownText {
    private static final Pattern OPENING = Pattern.compile(" {0,3}(`{3,}|~{3,})([^`]*)");
    private static final Pattern TICKS = Pattern.compile("`+");
    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z0-9+#-]{1,20}");

    /** What begins HTML, links, images, entities, code, addresses of mail and formulas. */
    private static final String ACTIVE = "\\`<>[]&@$|";

    /** At the beginning of a line: headings, quotes, rules and underlines of headings. */
    private static final Pattern BLOCK = Pattern.compile("(\\s*)([#=~+>-].*)");

    private static final Pattern ADDRESS =
            Pattern.compile("(?i)(https?|ftp|mailto|xmpp|javascript|data|file):|www\\.");

    private MarkdownText() {}

    /** Blocks of code stay such if they are closed. */
    static String blocks(String text) {
        List<String> lines = PlainText.escape(text).strip().lines().toList();
        StringBuilder out = new StringBuilder();
        int i = 0;
        while (i < lines.size()) {
            Matcher opening = OPENING.matcher(lines.get(i));
            int end = opening.matches() ? closing(lines, i + 1, opening.group(1)) : -1;
            if (end < 0) {
                out.append(line(lines.get(i++))).append('\n');
                continue;
            }
            String language = opening.group(2).strip();
            fence(
                    out,
                    LANGUAGE.matcher(language).matches() ? language : "",
                    String.join("\n", lines.subList(i + 1, end)));
            i = end + 1;
        }
        return out.toString();
    }

    private static int closing(List<String> lines, int from, String ticks) {
        for (int i = from; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith(ticks) && line.chars().allMatch(c -> c == ticks.charAt(0))) {
                return i;
            }
        }
        return -1;
    }

    /** One line as words; what stands between ticks is code. */
    static String line(String text) {
        Matcher block = BLOCK.matcher(text);
        boolean acts = block.matches() && !isItem(block.group(2));
        StringBuilder out = new StringBuilder();
        Matcher ticks = TICKS.matcher(text);
        int from = 0;
        while (ticks.find(from)) {
            String run = ticks.group();
            int begin = ticks.start();
            int end = closingTicks(text, ticks.end(), run.length());
            out.append(words(text.substring(from, begin)));
            if (end < 0) {
                out.append("\\`".repeat(run.length()));
                from = begin + run.length();
            } else {
                out.append(code(text.substring(begin + run.length(), end)));
                from = end + run.length();
            }
        }
        out.append(words(text.substring(from)));
        return acts
                ? out.insert(block.end(1), escaped(out, block.end(1))).toString()
                : out.toString();
    }

    /** A backslash, unless there is one already. */
    private static String escaped(StringBuilder line, int at) {
        return line.charAt(at) == '\\' ? "" : "\\";
    }

    /** Items of lists harm nobody. */
    private static boolean isItem(String line) {
        return line.startsWith("- ") && !line.replaceAll("[\\s-]", "").isEmpty();
    }

    private static int closingTicks(String text, int from, int length) {
        Matcher ticks = TICKS.matcher(text);
        while (ticks.find(from)) {
            if (ticks.end() - ticks.start() == length) {
                return ticks.start();
            }
            from = ticks.end();
        }
        return -1;
    }

    private static String words(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        Matcher address = ADDRESS.matcher(text);
        int next = address.find() ? address.end() - 1 : -1; // its colon or dot
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (ACTIVE.indexOf(c) >= 0 || i == next) {
                out.append('\\');
            }
            if (i == next) {
                next = address.find() ? address.end() - 1 : -1;
            }
            out.append(c);
        }
        return out.toString();
    }

    /** A block of code whose fence nothing within can end. */
    static void fence(StringBuilder out, String language, String text) {
        String safe = PlainText.escape(text);
        String fence = "`".repeat(Math.max(3, longestTicks(safe) + 1));
        out.append(fence).append(language).append('\n').append(safe);
        if (!safe.endsWith("\n")) {
            out.append('\n');
        }
        out.append(fence).append('\n');
    }

    /** Code within a line. */
    static String code(String text) {
        String safe = PlainText.escape(text).replace('\n', ' ');
        String ticks = "`".repeat(longestTicks(safe) + 1);
        boolean room = ticks.length() > 1 || safe.isBlank() || safe.startsWith(" ");
        return room ? ticks + " " + safe + " " + ticks : ticks + safe + ticks;
    }

    private static int longestTicks(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
