package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine finds what {@code Matcher.find} finds in each line, with all its short cuts. */
class ParallelScanTest {
    private static final int EXPRESSIONS = Integer.getInteger("fuzz.expressions", 250);
    private static final long SEED = Long.getLong("fuzz.seed", 4);
    private static final int FILES = 40;

    private static final String[] WORDS = {
        "foo", "bar", "Foo", "fo", "ba", "kiss", "KISS", "fıle", "File", "ſize", "é", "x", " ",
        "\t", "12", "3k", "9-1", "foo.bar", "(", ")", "{", "class", "", "𝄞"
    };
    private static final String[] PARTS = {
        "foo",
        "bar",
        "class",
        "kiss",
        "file",
        ".",
        ".*",
        "\\s+",
        "\\w*",
        "\\b",
        "x?",
        "(foo|bar)",
        "(?:fo+|k)",
        "[a-c]",
        "[^x]",
        "[]x]",
        "f{2}",
        "o{0,2}",
        "(bar)?",
        "\\.",
        "\\(",
        "|",
        "^",
        "$",
        "é",
        "(?=bar)",
        "(?!foo)",
        "(?<=f)oo",
        "(?<n>ba)",
        "\\d+",
        "o+?",
        "(a(b|c)+)*",
        "\\x41",
        "\\p{Lu}",
        "(foo|)",
        "\\Qx.\\E",
        "s",
        "I",
        "\\1",
        "(?i)bar",
        "\\u0041",
        "[0-9]{3}",
        "[0-9a-f]{2,4}",
        "\\d{2}",
        "[ .-]",
        "[ik]",
        "[s-z]{1}",
        "(12){2}",
        "[a&&[^b]]",
        "a*+"
    };

    @TempDir Path root;
    private final Random random = new Random(SEED);

    @BeforeEach
    void writeFiles() throws IOException {
        for (int i = 0; i < FILES; i++) {
            StringBuilder text = new StringBuilder(i % 9 == 0 ? "\uFEFF" : "");
            int lines = i == 7 ? 20_000 : random.nextInt(30);
            for (int line = 0; line < lines; line++) {
                for (int w = 0; w < random.nextInt(5); w++) {
                    text.append(WORDS[random.nextInt(i % 2 == 0 ? WORDS.length : 7)]);
                }
                text.append(i % 5 == 0 ? "\r\n" : line < lines - 1 || i % 3 > 0 ? "\n" : "");
            }
            boolean latin = i % 11 == 10;
            Files.write(
                    root.resolve("%02d".formatted(i)),
                    text.toString()
                            .getBytes(
                                    latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
        }
    }

    @Test
    @DisplayName("random expressions find what Java's matcher finds line by line, with context")
    void randomExpressionsFindWhatTheMatcherFinds() throws IOException {
        int found = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            Pattern pattern = expression();
            int context = random.nextInt(3);
            List<String> expected = expected(pattern, context);
            found += expected.size();
            assertSame(
                    expected,
                    Scanned.lines(root, pattern, context),
                    "seed %d, number %d: %s".formatted(SEED, i, pattern.pattern()));
        }
        assertEquals(true, found > EXPRESSIONS, "too little found to say anything: " + found);
    }

    /** Tells the first difference only; the lists are long. */
    private static void assertSame(List<String> expected, List<String> actual, String what) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertEquals(expected.get(i), actual.get(i), what);
        }
        assertEquals(expected.size(), actual.size(), what);
    }

    private Pattern expression() {
        while (true) {
            StringBuilder regex = new StringBuilder(random.nextInt(9) == 0 ? "(?i)" : "");
            for (int part = 0; part < 1 + random.nextInt(5); part++) {
                regex.append(PARTS[random.nextInt(PARTS.length)]);
            }
            try {
                int flags = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
                return Pattern.compile(regex.toString(), random.nextInt(3) == 0 ? flags : 0);
            } catch (IllegalArgumentException e) {
                continue; // the next one may be an expression
            }
        }
    }

    private List<String> expected(Pattern pattern, int context) throws IOException {
        List<String> all = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            String name = "%02d".formatted(file);
            List<String> lines = lines(root.resolve(name));
            List<Boolean> matches = new ArrayList<>();
            lines.forEach(line -> matches.add(pattern.matcher(line).find()));
            for (int n = 0; n < lines.size(); n++) {
                int from = Math.max(0, n - context);
                int to = Math.min(lines.size(), n + context + 1);
                if (matches.subList(from, to).contains(true)) {
                    String mark = matches.get(n) ? ":" : "-";
                    all.add(name + mark + (n + 1) + mark + lines.get(n));
                }
            }
        }
        return all;
    }

    private static List<String> lines(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
        text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        if (lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        lines.replaceAll(line -> line.replaceAll("\r+$", ""));
        return lines;
    }
}
