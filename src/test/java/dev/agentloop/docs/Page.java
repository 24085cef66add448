package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of documentation: its text, its examples, and its generated parts. */
public record Page(Path file) {
    private static final Pattern MARKED_FENCE =
            Pattern.compile("(?ms)^<!-- (run|prints|file: [\\w./-]+) -->\\n```\\w*\\n(.*?)^```$");

    /** A block of the page that a test uses: commands, what they print, or a file. */
    record Block(String mark, String text) {}

    public static Page of(String file) {
        return new Page(Path.of(file));
    }

    /** The README and everything below docs. */
    static List<Page> all() {
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            List<Page> pages = new ArrayList<>();
            pages.add(Page.of("README.md"));
            files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Page::new)
                    .forEach(pages::add);
            return pages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page without its fenced blocks. */
    String prose() {
        return text().replaceAll("(?ms)^```.*?^```$", "");
    }

    List<Block> blocks() {
        return matches(MARKED_FENCE, text()).stream()
                .map(match -> new Block(match.group(1), match.group(2)))
                .toList();
    }

    /** Compares a generated part, or rewrites it with {@code -Dgolden.update=true}. */
    public void checkPart(String name, String generated) throws IOException {
        String begin = "<!-- generated: " + name + " -->\n";
        String end = "<!-- end of generated part -->\n";
        String page = text();
        int from = page.indexOf(begin);
        int to = page.indexOf(end, from);
        assertTrue(from >= 0 && to > from, file + " has no part for " + name);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(
                    file, page.substring(0, from) + begin + generated + page.substring(to));
        } else {
            String written = page.substring(from + begin.length(), to);
            assertEquals(generated, written, file + " is out of date; run scripts/golden");
        }
    }

    static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
