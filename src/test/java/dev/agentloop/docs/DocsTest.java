package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocsTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");
    private static final Pattern FILE_NAME =
            Pattern.compile("`((?:docs|config|scripts|src|\\.github)/[\\w./-]+)`");
    private static final Pattern CLASS_NAME = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)");

    /** Options of other programs: scripts/check, ruff, prettier, sort, git. */
    private static final Set<String> FOREIGN =
            Set.of("--quick", "--no-fix", "--check", "--compress-program", "--no-checkout");

    static List<Page> pages() {
        return Page.all();
    }

    @Test
    void theReadmeIsShort() {
        long lines = Page.of("README.md").text().lines().count();

        assertTrue(lines <= 150, "README.md has " + lines + " lines");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void examplesDoWhatTheySay(Page page, @TempDir Path folder) throws IOException {
        new ExampleRunner(folder).run(page);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Page page) {
        List<String> broken = new ArrayList<>();
        for (MatchResult link : Page.matches(LINK, page.prose())) {
            String target = link.group(1);
            if (!target.startsWith("http") && !exists(page, target)) {
                broken.add(target);
            }
        }

        assertEquals(List.of(), broken);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void filesNamedInPagesExist(Page page) {
        List<String> missing =
                Page.matches(FILE_NAME, page.text()).stream()
                        .map(match -> match.group(1))
                        .filter(name -> Files.notExists(Path.of(name)))
                        .toList();

        assertEquals(List.of(), missing);
    }

    @Test
    void everyPageIsLinkedFromTheReadmeOrFromAPageThatIs() {
        Set<Path> reached = new TreeSet<>();
        reach(Path.of("README.md"), reached);

        Set<Path> pages = pages().stream().map(Page::file).collect(Collectors.toSet());
        pages.removeAll(reached);
        assertEquals(Set.of(), pages);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyOptionInThePagesExists(Page page) {
        Set<String> unknown = options(page.text());
        unknown.removeAll(options(Page.of("docs/cli.md").text())); // generated from the parsers
        unknown.removeAll(FOREIGN);

        assertEquals(Set.of(), unknown);
    }

    @Test
    void classesNamedByThePictureOfTheArchitectureExist() throws IOException {
        String sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            sources = files.map(Path::toString).collect(Collectors.joining("\n"));
        }
        List<String> missing =
                Page.matches(CLASS_NAME, Page.of("docs/architecture.md").text()).stream()
                        .map(match -> match.group(1))
                        .filter(name -> !sources.contains("/" + name + ".java"))
                        .toList();

        assertEquals(List.of(), missing);
    }

    @Test
    void decisionsAreNumberedWithoutGapsAndFitOnAPage() throws IOException {
        List<Path> decisions;
        try (Stream<Path> files = Files.list(Path.of("docs/decisions"))) {
            decisions = files.sorted().toList();
        }
        for (int i = 0; i < decisions.size(); i++) {
            String number = String.format(Locale.ROOT, "%04d-", i + 1);
            String name = decisions.get(i).getFileName().toString();
            assertTrue(name.startsWith(number), name + " should begin with " + number);
            List<String> lines = Files.readAllLines(decisions.get(i));
            assertTrue(lines.size() <= 60, name + " is longer than a page");
            assertTrue(
                    lines.containsAll(List.of("## Context", "## Decision", "## Consequence")),
                    name);
        }
        assertFalse(decisions.isEmpty());
    }

    private static Set<String> options(String text) {
        return Page.matches(OPTION, text).stream()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void reach(Path file, Set<Path> reached) {
        if (!file.toString().endsWith(".md") || !Files.exists(file) || !reached.add(file)) {
            return;
        }
        for (MatchResult link : Page.matches(LINK, new Page(file).prose())) {
            if (!link.group(1).startsWith("http")) {
                reach(resolve(file, link.group(1).replaceAll("#.*", "")), reached);
            }
        }
    }

    private static boolean exists(Page page, String target) {
        int hash = target.indexOf('#');
        String name = hash < 0 ? target : target.substring(0, hash);
        Path file = name.isEmpty() ? page.file() : resolve(page.file(), name);
        if (!Files.exists(file)) {
            return false;
        }
        return hash < 0 || anchors(new Page(file)).contains(target.substring(hash + 1));
    }

    private static Path resolve(Path page, String name) {
        Path folder = page.getParent();
        return folder == null ? Path.of(name) : folder.resolve(name).normalize();
    }

    /** As the usual renderers make them. */
    private static Set<String> anchors(Page page) {
        return Page.matches(HEADING, page.prose()).stream()
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w -]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
