package dev.agentloop.architecture;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.docs.Page;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which way the packages use each other, and who may know which library. */
class LayeringTest {
    private static final Pattern OURS = Pattern.compile("\\bdev\\.agentloop((?:\\.[a-z]\\w*)*)\\b");
    private static final Pattern CONSOLE = Pattern.compile("\\bSystem\\.(out|err|in|exit)\\b");

    private static final Pattern GIT_AS_A_PROGRAM =
            Pattern.compile(
                    "(?:\\.program\\(|List\\.of\\(|ProcessBuilder\\(|shell\\(|argv\\.add\\()\\s*"
                            + "\"(?:/[^\" ]*/)?git[ \"]");

    private static final int MOST_FILES = 20; // of a package; more is no longer looked through

    /** Callers of the library find all of it in one place. */
    private static final Set<String> LARGER = Set.of("library");

    /** What does the work of a run, whoever started it and whatever it talks to. */
    private static final Set<String> CORE =
            Set.of(
                    "context",
                    "control",
                    "cost",
                    "event",
                    "guardrail",
                    "hook",
                    "llm",
                    "loop",
                    "message",
                    "permission",
                    "session",
                    "tool");

    /** What is known by one place outside of the core; {@code wiring} brings it in. */
    private static final Set<String> ADAPTERS =
            Set.of(
                    "cli",
                    "edit",
                    "library",
                    "llm.anthropic",
                    "llm.demo",
                    "llm.gemini",
                    "llm.http",
                    "llm.openai",
                    "llm.provider",
                    "mcp",
                    "patch",
                    "session.jsonl",
                    "tool.builtin",
                    "web",
                    "wiring");

    /** Libraries and the packages that may know them; SLF4J and JSpecify are for everybody. */
    private static final Map<String, String> LIBRARIES =
            Map.ofEntries(
                    entry("picocli", "cli"),
                    entry("org.jline", "chat colour markdown"),
                    entry("org.commonmark", "markdown"),
                    entry("org.fife", "markdown"),
                    entry("sun.misc", "cli"),
                    entry("ch.qos.logback", "cli"),
                    entry("org.yaml.snakeyaml", "config syntax"),
                    entry("com.github.difflib", "undo"),
                    entry("org.tomlj", "syntax"),
                    entry("dev.harrel", "json.schema"),
                    entry("org.jsoup", "web"),
                    entry("okhttp3", "llm.http llm.provider mcp web"),
                    entry("okio", "llm.http llm.provider mcp web"),
                    entry("javax.net", "llm.http web"),
                    entry(
                            "com.fasterxml.jackson",
                            "json output llm.anthropic llm.gemini llm.openai replay session.export"
                                    + " session.jsonl syntax"));

    @Test
    @DisplayName("no package uses one that uses it, by whatever way")
    void noCycles() {
        Map<String, Set<String>> edges = edges();
        List<String> guilty = new ArrayList<>();
        edges.forEach((name, used) -> {
            for (String other : used) {
                if (reached(edges, other).contains(name)) {
                    guilty.add(name + " uses " + other + ", which leads back to it");
                }
            }
        });

        assertEquals(List.of(), guilty);
    }

    @Test
    @DisplayName("the core of a run knows neither who starts it nor what it talks to")
    void theCoreStandsAlone() {
        List<String> guilty = new ArrayList<>();
        edges().forEach((name, used) -> {
            if (isIn(CORE, name) && !isIn(ADAPTERS, name)) {
                used.stream()
                        .filter(other -> isIn(ADAPTERS, other))
                        .forEach(other -> guilty.add(name + " uses " + other));
            }
        });

        assertEquals(List.of(), guilty);
    }

    @Test
    @DisplayName("only the command line, and the program itself, know the command line")
    void nothingUsesTheCommandLine() {
        List<String> guilty = new ArrayList<>();
        edges().forEach((name, used) -> {
            boolean below = !name.isEmpty() && !isIn(Set.of("cli"), name);
            boolean builds = isIn(Set.of("cli", "library", "wiring"), name);
            for (String other : used) {
                if (below && isIn(Set.of("cli"), other)
                        || !name.isEmpty() && !builds && isIn(Set.of("wiring"), other)) {
                    guilty.add(name + " uses " + other);
                }
            }
        });

        assertEquals(List.of(), guilty);
    }

    @Test
    @DisplayName("no package is too large to be looked through")
    void smallPackages() {
        Map<String, Long> files =
                Sources.MAIN.files().stream()
                        .filter(source -> !source.file().endsWith("package-info.java"))
                        .collect(
                                Collectors.groupingBy(
                                        Sources.Source::packageName, Collectors.counting()));
        files.keySet().removeAll(LARGER);
        files.values().removeIf(count -> count <= MOST_FILES);

        assertEquals(Map.of(), files);
    }

    @Test
    void onlyOnePackageStartsGit() {
        List<String> guilty = new ArrayList<>();
        for (Sources.Source source : Sources.MAIN.files()) {
            boolean starts = GIT_AS_A_PROGRAM.matcher(source.code()).find();
            if (starts && !source.packageName().equals("git")) {
                guilty.add(source + " starts git");
            }
        }

        assertEquals(List.of(), guilty, "what a repository names would run: ask through Git");
    }

    @Test
    void librariesStayInTheirPackages() {
        List<String> guilty = new ArrayList<>();
        for (Sources.Source source : Sources.MAIN.files()) {
            for (Map.Entry<String, String> library : LIBRARIES.entrySet()) {
                Set<String> homes = Set.of(library.getValue().split(" "));
                boolean uses =
                        source.code()
                                .matches("(?s).*\\b" + Pattern.quote(library.getKey()) + "\\..*");
                if (uses && !isIn(homes, source.packageName())) {
                    guilty.add(source + " uses " + library.getKey());
                }
            }
        }

        assertEquals(List.of(), guilty);
    }

    @Test
    void onlyTheCommandLineTouchesTheConsole() {
        List<String> guilty =
                Sources.MAIN.files().stream()
                        .filter(source -> !source.packageName().isEmpty())
                        .filter(source -> !isIn(Set.of("cli"), source.packageName()))
                        .filter(source -> CONSOLE.matcher(source.code()).find())
                        .map(Sources.Source::toString)
                        .toList();

        assertEquals(List.of(), guilty);
    }

    @Test
    void onlyTheConfigurationReaderAndTheSyntaxCheckKnowYaml() {
        List<String> guilty =
                Sources.MAIN.files().stream()
                        .filter(source -> source.code().contains("org.yaml.snakeyaml"))
                        .map(source -> source.file().getFileName().toString())
                        .filter(name -> !name.startsWith("Yaml") && !name.equals("DataSyntax.java"))
                        .toList();

        assertEquals(List.of(), guilty);
    }

    @Test
    void thePageOfTheArchitectureShowsWhoUsesWhom() throws IOException {
        Map<String, Set<String>> edges = edges();
        StringBuilder table = new StringBuilder("| package | uses |\n|---|---|\n");
        edges.forEach((name, used) -> {
            String label = name.isEmpty() ? "(root)" : name;
            String list = used.isEmpty() ? "nothing of ours" : String.join(", ", used);
            table.append("| ").append(label).append(" | ").append(list).append(" |\n");
        });

        Page.of("docs/architecture.md").checkPart("packages", table.toString());
    }

    private static Map<String, Set<String>> edges() {
        Map<String, Set<String>> edges = new TreeMap<>();
        for (Sources.Source source : Sources.MAIN.files()) {
            edges.computeIfAbsent(source.packageName(), name -> new TreeSet<>())
                    .addAll(used(source));
        }
        return edges;
    }

    private static Set<String> reached(Map<String, Set<String>> edges, String from) {
        Set<String> reached = new TreeSet<>(Set.of(from));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (String next : edges.getOrDefault(open.removeFirst(), Set.of())) {
                if (reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }

    /** Whether a package is one of these, or lies below one. */
    private static boolean isIn(Set<String> families, String name) {
        return families.stream()
                .anyMatch(family -> name.equals(family) || name.startsWith(family + "."));
    }

    private static Set<String> used(Sources.Source source) {
        return OURS.matcher(source.code())
                .results()
                .map((MatchResult match) -> match.group(1))
                .filter(name -> !name.isEmpty())
                .map(name -> name.substring(1))
                .filter(name -> !name.equals(source.packageName()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
