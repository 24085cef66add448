package dev.agentloop.architecture;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.docs.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who may use whom. A new edge is a new word in this table, and somebody decides about it. */
class LayeringTest {
    private static final Pattern OURS = Pattern.compile("\\bdev\\.agentloop((?:\\.[a-z]\\w*)*)\\b");
    private static final Pattern CONSOLE = Pattern.compile("\\bSystem\\.(out|err|in|exit)\\b");

    private static final Pattern GIT_AS_A_PROGRAM =
            Pattern.compile(
                    "(?:\\.program\\(|List\\.of\\(|ProcessBuilder\\(|shell\\(|argv\\.add\\()\\s*"
                            + "\"(?:/[^\" ]*/)?git[ \"]");

    private static final Set<String> ADAPTERS =
            Set.of(
                    "llm.anthropic",
                    "llm.gemini",
                    "llm.openai",
                    "llm.demo",
                    "llm.http",
                    "tool.builtin",
                    "tool.file",
                    "session.jsonl",
                    "edit",
                    "patch",
                    "search",
                    "mcp",
                    "web");

    /** For each package what it may use of ours, besides itself. */
    private static final Map<String, String> MAY_USE =
            Map.ofEntries(
                    entry("", "cli"),
                    entry("audit", "event json message storage"),
                    entry("chat", ""),
                    entry("config", "config.key json llm"),
                    entry("config.catalog", "config config.key json llm"),
                    entry("config.key", ""),
                    entry("context", "json message tool"),
                    entry("control", ""),
                    entry("controlfile", ""),
                    entry("cost", "message"),
                    entry("durable", "durable.engine durable.gate json storage"),
                    entry("durable.engine", "json storage"),
                    entry("durable.gate", "durable.engine json message session tool"),
                    entry("edit", "json"),
                    entry("evaluation", "json"),
                    entry("event", "evaluation message"),
                    entry("git", "control process storage"),
                    entry("guardrail", "control message process tool"),
                    entry("hook", "control json message process search"),
                    entry("json", ""),
                    entry("json.schema", "json"),
                    entry(
                            "library",
                            "config config.catalog context control cost event guardrail hook llm"
                                    + " loop message permission process replay secret session tool wiring"),
                    entry("llm", "control event json message tool"),
                    entry("llm.anthropic", "control json llm llm.http message tool"),
                    entry("llm.demo", "control json llm message"),
                    entry("llm.gemini", "control json llm llm.http message tool"),
                    entry("llm.http", "control json llm message secret tool"),
                    entry("llm.openai", "control json llm llm.http message tool"),
                    entry(
                            "loop",
                            "context control cost evaluation event guardrail hook llm message"
                                    + " permission secret session tool undo"),
                    entry("mcp", "control json llm.http message process storage tool web"),
                    entry("mcp.serve", "control json mcp"),
                    entry("memory", "message storage tool"),
                    entry("message", ""),
                    entry("orchestration", "control git json process storage"),
                    entry("output", "evaluation event json message"),
                    entry("patch", "edit"),
                    entry("permission", "control controlfile message shell tool"),
                    entry("profile", "message tool"),
                    entry("prompt", "git storage"),
                    entry("shell", "shell.program"),
                    entry("shell.program", ""),
                    entry("process", "control sandbox"),
                    entry("sandbox", "control controlfile sandbox.git sandbox.home sandbox.kernel"),
                    entry("sandbox.attack", "control process sandbox"),
                    entry("sandbox.git", "controlfile"),
                    entry("sandbox.home", "sandbox.git"),
                    entry("sandbox.kernel", ""),
                    entry("search", "control json storage"),
                    entry("secret", "event json message session"),
                    entry("replay", "control event hook json llm loop message tool"),
                    entry("session", "control json message"),
                    entry("session.export", "json message session"),
                    entry("session.jsonl", "control json message session storage"),
                    entry("storage", ""),
                    entry("subagent", "event message session tool"),
                    entry("skill", "config config.key message prompt tool"),
                    entry("trust", "json storage"),
                    entry("tool", "control json message"),
                    entry(
                            "tool.builtin",
                            "control controlfile edit git json message patch process search storage"
                                    + " tool tool.file"),
                    entry("tool.file", "storage tool"),
                    entry("undo", "edit message session storage tool tool.file"),
                    entry("web", "control edit llm.http message tool"));

    /** Libraries and the packages that may know them; SLF4J and JSpecify are for everybody. */
    private static final Map<String, String> LIBRARIES =
            Map.ofEntries(
                    entry("picocli", "cli"),
                    entry("org.jline", "chat"),
                    entry("sun.misc", "cli"),
                    entry("ch.qos.logback", "cli"),
                    entry("org.yaml.snakeyaml", "config"),
                    entry("dev.harrel", "json.schema"),
                    entry("org.jsoup", "web"),
                    entry("okhttp3", "llm.http mcp web"),
                    entry("okio", "llm.http mcp web"),
                    entry("javax.net", "llm.http web"),
                    entry(
                            "com.fasterxml.jackson",
                            "json output llm.anthropic llm.gemini llm.openai replay session.export"
                                    + " session.jsonl"));

    @Test
    void packagesUseOnlyWhatTheyMay() {
        List<String> guilty = new ArrayList<>();
        for (Sources.Source source : Sources.MAIN.files()) {
            for (String used : used(source)) {
                if (!mayUse(source.packageName(), used)) {
                    guilty.add(source + " uses " + used);
                }
            }
        }

        assertEquals(List.of(), guilty);
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
                if (uses && !homes.contains(source.packageName())) {
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
                        .filter(source -> !Set.of("", "cli").contains(source.packageName()))
                        .filter(source -> CONSOLE.matcher(source.code()).find())
                        .map(Sources.Source::toString)
                        .toList();

        assertEquals(List.of(), guilty);
    }

    @Test
    void onlyTheConfigurationReaderKnowsYaml() {
        List<String> guilty =
                Sources.MAIN.files().stream()
                        .filter(source -> source.code().contains("org.yaml.snakeyaml"))
                        .map(source -> source.file().getFileName().toString())
                        .filter(name -> !name.startsWith("Yaml"))
                        .toList();

        assertEquals(List.of(), guilty);
    }

    @Test
    void thePageOfTheArchitectureShowsWhoUsesWhom() throws IOException {
        TreeMap<String, Set<String>> edges = new TreeMap<>();
        for (Sources.Source source : Sources.MAIN.files()) {
            edges.computeIfAbsent(source.packageName(), name -> new TreeSet<>())
                    .addAll(used(source));
        }
        StringBuilder table = new StringBuilder("| package | uses |\n|---|---|\n");
        edges.forEach((name, used) -> {
            String label = name.isEmpty() ? "(root)" : name;
            String list = used.isEmpty() ? "nothing of ours" : String.join(", ", used);
            table.append("| ").append(label).append(" | ").append(list).append(" |\n");
        });

        Page.of("docs/architecture.md").checkPart("packages", table.toString());
    }

    private static boolean mayUse(String user, String used) {
        return switch (user) {
            case "cli" -> !ADAPTERS.contains(used);
            case "wiring" -> !used.equals("cli");
            default -> Set.of(MAY_USE.getOrDefault(user, "").split(" ")).contains(used);
        };
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
