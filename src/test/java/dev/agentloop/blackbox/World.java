package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A machine of its own for a test: home, XDG folders, workspace, environment and a configuration
 * that knows one provider, {@code canary}, whose key must never be seen. Closing it fails when a
 * process of it is still alive.
 */
public final class World implements AutoCloseable {
    private static final long INPUT_PRICE = 10; // US dollars per million tokens
    private static final long OUTPUT_PRICE = 30;
    private static final String MARKER = "AGENT_TEST_RUN";

    private final Path root;
    private final String id = UUID.randomUUID().toString();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final @Nullable ScriptedServer model;
    private BigDecimal accounted = BigDecimal.ZERO;
    private final List<ScriptedServer> others = new ArrayList<>();
    private String providers = "";
    private String llm = "  max_retries: 1\n";
    private String sections = "";
    private boolean leaves;
    private boolean hostile = true;
    private final Set<Path> damaged = ConcurrentHashMap.newKeySet();
    private final WorldProcesses processes = new WorldProcesses(id);

    private World(@Nullable ScriptedServer model) {
        this.model = model;
        try {
            root = newFolder();
            Files.createDirectories(workspace());
            Files.createDirectories(userConfig().getParent());
            Files.createDirectories(root.resolve("tmp"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        environment.put("HOME", root.resolve("home").toString());
        environment.put("XDG_CONFIG_HOME", root.resolve("config").toString());
        environment.put("XDG_STATE_HOME", root.resolve("state").toString());
        environment.put("XDG_CACHE_HOME", root.resolve("cache").toString());
        environment.put("TMPDIR", root.resolve("tmp").toString());
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("CANARY_API_KEY", key());
        environment.put(MARKER, id);
    }

    /** For its owner alone; each is as long as the other, so that a screen wraps them alike. */
    private Path newFolder() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        return Files.createDirectory(
                temporary.resolve("agent-it-" + id.substring(0, 13)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** With this model as the default one. */
    public static World with(ScriptedServer model) {
        World world = new World(model);
        world.providers = world.provider(model.baseUrl(), model.protocol());
        return world;
    }

    /** With a provider at an address where nobody listens. */
    public static World withoutModel() {
        World world = new World(null);
        world.providers = world.provider("http://127.0.0.1:9/v1", Protocol.CHAT);
        return world;
    }

    private String provider(String url, Protocol protocol) {
        return """
        providers:
          canary:
            protocol: %s
            base_url: "%s"
            api_key_env: CANARY_API_KEY
            models:
              model:
                context_window: 200000
                max_output_tokens: 8000
                price: {input: %d, output: %d}
        """
                .formatted(protocol.configName, url, INPUT_PRICE, OUTPUT_PRICE);
    }

    /** One more provider with one model, at a price of its own; its key is NAME_API_KEY. */
    public World provider(String name, ScriptedServer server) {
        providers +=
                """
                  %s:
                    protocol: %s
                    base_url: "%s"
                    api_key_env: %s_API_KEY
                    models:
                      model:
                        price: {input: 1, output: 2}
                """
                        .formatted(
                                name,
                                server.protocol().configName,
                                server.baseUrl(),
                                name.toUpperCase(Locale.ROOT));
        others.add(server);
        return this;
    }

    /** The default model's context window in tokens, in place of 200,000. */
    public World contextWindow(int tokens) {
        providers = providers.replace("context_window: 200000", "context_window: " + tokens);
        return this;
    }

    /** A scripted model has no answer to the question whether it has checked its work. */
    private String unasked() {
        return sections.contains("context:") ? "" : "context: {finish_check: off}\n";
    }

    /** More sections of the user's configuration; {@code llm} has its own method. */
    public World config(String yaml) {
        sections += yaml.strip() + "\n";
        return this;
    }

    /** In place of {@code max_retries: 1} in the section llm. */
    public World llm(String yaml) {
        llm = yaml.strip().indent(2);
        return this;
    }

    public World env(String name, @Nullable String value) {
        if (value == null) {
            environment.remove(name);
        } else {
            environment.put(name, value);
        }
        return this;
    }

    public World file(String name, String content) {
        try {
            Path file = workspace().resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public String key() {
        return "sk-canary-" + id;
    }

    public Path root() {
        return root;
    }

    public Path workspace() {
        return root.resolve("work");
    }

    public Path home() {
        return root.resolve("home");
    }

    public Map<String, String> environment() {
        return environment;
    }

    public String read(String name) {
        try {
            return Files.readString(workspace().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean exists(String name) {
        return Files.exists(workspace().resolve(name));
    }

    /** Journals of all sessions; a file that the agent removes meanwhile is passed over. */
    public List<Path> journals() {
        var journals = new ArrayList<Path>();
        var search =
                new SimpleFileVisitor<Path>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.endsWith("journal.jsonl")) {
                            journals.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException gone) {
                        return FileVisitResult.CONTINUE;
                    }
                };
        try {
            Files.walkFileTree(root.resolve("state"), search);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        journals.sort(Comparator.naturalOrder());
        return List.copyOf(journals);
    }

    /** Damages a journal; it is not expected to be sound from here on. */
    public World damage(Path journal, String content) {
        try {
            Files.writeString(journal, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        damaged.add(journal);
        return this;
    }

    boolean isDamaged(Path journal) {
        return damaged.contains(journal);
    }

    /** Records of one type in the only journal. */
    public List<JsonNode> records(String type) {
        return JournalFile.records(journals().getLast(), type);
    }

    /** Where a terminal's modes are written down, before and after a run. */
    Path terminalModes(String when) {
        return root.resolve("stty-" + when);
    }

    TerminalTrace terminalTrace() {
        return new TerminalTrace(
                WorldProcesses.text(terminalModes("before")),
                WorldProcesses.text(terminalModes("after")));
    }

    /** {@code agent run} as a process, until its end. */
    public Ended run(String... words) {
        return launch().run(words);
    }

    /** Any command of the program as a process, until its end. */
    public Ended agent(String... words) {
        return launch().start(words).ended();
    }

    public Launch launch() {
        return new Launch(this);
    }

    /** {@code agent run} within this JVM. */
    public Ended runInside(String... words) {
        return inside(runWords(words));
    }

    /** Any command of the program within this JVM. */
    public Ended inside(String... words) {
        prepare();
        Ended ended = InProcess.run(this, List.of(words));
        Globals.check(this, ended, true);
        return ended;
    }

    static String[] runWords(String... words) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(words));
        return all.toArray(String[]::new);
    }

    /** List price of the replies that the models gave since this was asked last. */
    BigDecimal newlyServedUsd() {
        BigDecimal all = BigDecimal.ZERO;
        if (model != null) {
            all = usd(model, INPUT_PRICE, OUTPUT_PRICE);
        }
        for (ScriptedServer other : others) {
            all = all.add(usd(other, 1, 2));
        }
        BigDecimal news = all.subtract(accounted);
        accounted = all;
        return news;
    }

    /** Prices are for a million tokens. */
    private static BigDecimal usd(ScriptedServer server, long inputPrice, long outputPrice) {
        long micros = 0;
        for (Reply reply : server.played()) {
            micros += inputPrice * reply.input() + outputPrice * reply.output();
        }
        return BigDecimal.valueOf(micros, 6);
    }

    /** Writes the configuration in one go: programs that run already may be about to read it. */
    void prepare() {
        String yaml = "llm:\n  model: canary/model\n" + llm + providers + sections + unasked();
        try {
            Path whole = Files.writeString(root.resolve("config.yaml.new"), yaml);
            Files.move(whole, userConfig(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path userConfig() {
        return root.resolve("config/agent/config.yaml");
    }

    /** The processes of the program in this world. */
    WorldProcesses processes() {
        return processes;
    }

    /** G5: within a second of the end nothing of the run lives. */
    void checkNothingAlive() {
        if (leaves) {
            return;
        }
        processes.checkNothingAlive(Duration.ofSeconds(1));
    }

    /** What a run leaves is not looked at before the world ends. */
    World leavingProcesses() {
        leaves = true;
        return this;
    }

    /** Leaves the workspace as the test made it: for tests that look at all that is in it. */
    public World ordinary() {
        hostile = false;
        return this;
    }

    /** Every process of the program starts in a hostile repository, unless a test says no. */
    void enterEnemyTerritory() {
        if (hostile) {
            HostileRepository.fill(workspace());
        }
    }

    @Override
    public void close() {
        leaves = false;
        checkNothingAlive();
        if (HostileRepository.hasStruck()) {
            throw new AssertionError("something of the hostile repository was executed");
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(World::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (model != null && model.left() > 0) {
            throw new AssertionError(model.left() + " scripts of the model were never asked for");
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
