package dev.agentloop.sandbox.git.settings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Git's format of settings, read as git reads it: several on one line, quotes, values that go on in
 * the next line. What git might read in another way is not read at all.
 *
 * <p>Format: git's Documentation/config, section "Syntax".
 */
public final class ConfigText {
    private static final int END = -1;

    private final String text;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<String> comments = new ArrayList<>();
    private int at;
    private int valueEnd;
    private String header = "";
    private String section = "";
    private String part = "";

    private ConfigText(String text) {
        this.text = text;
    }

    /**
     * One setting.
     *
     * @param section in lower case
     * @param part what stands in quotes behind the section; empty if nothing does
     * @param key in lower case
     */
    public record Setting(String section, String part, String key, String value) {
        /** Without the part, as {@code remote.url}. */
        public String name() {
            return section + "." + key;
        }

        /** With the part, as {@code remote.origin.url}. */
        public String fullName() {
            return section + (part.isEmpty() ? "" : "." + part) + "." + key;
        }

        @Override
        public String toString() {
            return fullName() + " = " + value;
        }
    }

    /**
     * One setting and how it is written.
     *
     * @param header the line of its section, with brackets
     * @param text without a comment behind it and without a line break at the end
     */
    public record Piece(Setting setting, String header, String text) {}

    /** What is in a file: settings, and comments from their first sign to the end of the line. */
    public record Content(List<Piece> pieces, List<String> comments) {}

    /** Empty if it is not in git's format, whatever bytes it holds. */
    public static Optional<Content> content(String text) {
        ConfigText reading = new ConfigText(text.replace("\r\n", "\n"));
        return reading.isRead()
                ? Optional.of(new Content(reading.pieces, reading.comments))
                : Optional.empty();
    }

    /** Empty if it is not in git's format, or holds bytes that no settings file needs. */
    public static Optional<List<Setting>> read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8).replace("\r\n", "\n");
        if (text.startsWith("\ufeff")) {
            text = text.substring(1);
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' && c != '\n' && c != '\t' || c == '\ufffd') {
                return Optional.empty();
            }
        }
        ConfigText reading = new ConfigText(text);
        return reading.isRead()
                ? Optional.of(reading.pieces.stream().map(Piece::setting).toList())
                : Optional.empty();
    }

    private boolean isRead() {
        try {
            all();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void all() {
        while (peek() != END) {
            int c = next();
            if (c == '#' || c == ';') {
                skipLine();
            } else if (c == '[') {
                header();
            } else if (isLetter(c)) {
                at--;
                setting();
            } else if (c != '\n' && c != ' ' && c != '\t') {
                throw new IllegalArgumentException("a line begins with " + (char) c);
            }
        }
    }

    private int peek() {
        return at < text.length() ? text.charAt(at) : END;
    }

    private int next() {
        return at < text.length() ? text.charAt(at++) : END;
    }

    private void skipLine() {
        int end = text.indexOf('\n', at);
        int start = at - 1;
        at = end < 0 ? text.length() : end;
        comments.add(text.substring(start, at));
    }

    private void header() {
        int start = at - 1;
        StringBuilder name = new StringBuilder();
        part = "";
        int c = next();
        while (isKey(c) || c == '.') {
            name.append((char) c);
            c = next();
        }
        if (c == ' ' || c == '\t') {
            while (c == ' ' || c == '\t') {
                c = next();
            }
            must(c == '"');
            part = quoted();
            c = next();
        }
        must(c == ']' && !name.isEmpty());
        section = name.toString().toLowerCase(Locale.ROOT);
        int dot = section.indexOf('.'); // an old form of a part
        if (dot >= 0) {
            part = section.substring(dot + 1) + part;
            section = section.substring(0, dot);
        }
        header = text.substring(start, at);
    }

    private String quoted() {
        StringBuilder inner = new StringBuilder();
        while (true) {
            int c = next();
            must(c != END && c != '\n');
            if (c == '"') {
                return inner.toString();
            }
            if (c == '\\') {
                c = next();
                must(c != END && c != '\n');
            }
            inner.append((char) c);
        }
    }

    private void setting() {
        int start = at;
        StringBuilder key = new StringBuilder();
        while (isKey(peek())) {
            key.append((char) next());
        }
        valueEnd = at;
        while (peek() == ' ' || peek() == '\t') {
            next();
        }
        String value = "true";
        if (peek() != '\n' && peek() != END) {
            must(next() == '=');
            value = value();
        }
        must(!section.isEmpty());
        Setting setting =
                new Setting(section, part, key.toString().toLowerCase(Locale.ROOT), value);
        pieces.add(new Piece(setting, header, text.substring(start, valueEnd)));
    }

    private String value() {
        StringBuilder value = new StringBuilder();
        boolean quote = false;
        boolean comment = false;
        int kept = 0; // blanks at the end do not count unless they were quoted
        while (true) {
            int c = next();
            if (c == END || c == '\n') {
                must(!quote);
                valueEnd = comment ? valueEnd : c == END ? at : at - 1;
                return value.substring(0, kept).stripLeading();
            }
            if (!quote && (c == '#' || c == ';')) {
                valueEnd = at - 1;
                comment = true;
                skipLine();
                continue;
            }
            if (c == '"') {
                quote = !quote;
                kept = value.length();
                continue;
            }
            if (c == '\\') {
                c = escaped();
                if (c == '\n') {
                    continue;
                }
            }
            value.append((char) c);
            if (quote || c != ' ' && c != '\t') {
                kept = value.length();
            }
        }
    }

    /** A line break for one that is not part of the value. */
    private int escaped() {
        int c = next();
        return switch (c) {
            case 't' -> '\u0001'; // any that is no blank: such a value is nothing ordinary
            case 'n', 'b' -> '\u0001';
            case '\n', '\\', '"' -> c;
            default -> throw new IllegalArgumentException("unknown escape");
        };
    }

    private static void must(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not in git's format");
        }
    }

    private static boolean isLetter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private static boolean isKey(int c) {
        return isLetter(c) || c >= '0' && c <= '9' || c == '-';
    }
}
