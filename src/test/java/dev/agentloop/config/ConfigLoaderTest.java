package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.config.AgentConfig.Confirm;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.config.AgentConfig.SandboxMode;
import dev.agentloop.config.source.Origin;
import dev.agentloop.llm.Effort;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
    private static final String EXAMPLE =
            """
            llm:
              model: anthropic/claude-sonnet-5      # provider/model
              effort: medium
              max_output_tokens: 8192
              max_retries: 4
              idle_timeout: 120s
            providers:
              openai:
                protocol: openai-chat
                base_url: https://api.example.com/v1
                api_key_env: EXAMPLE_API_KEY
                models:
                  my-model.v1:
                    context_window: 100000
                    max_output_tokens: 4000
                    price: {input: 10.0, cached_input: 1.0, cache_write: 12.5, output: 30.0}
            limits: {max_steps: 50, budget: 2.50, timeout: 30m, step_timeout: 5m,
              max_tokens_total: 2000000}
            sandbox: {mode: auto, network: off, writable: []}
            commands: {timeout: 120s, pass_env: [CI]}
            hooks:
              post_edit:
                - name: python-lint
                  command: "ruff check {file} --no-fix"
                  file_patterns: ["*.py"]
                  timeout: 10
                  enabled: true
                - {name: all, command: "true"}
            agents:
              build: {max_steps: 80}
            sessions: {auto_save: true, fsync: intent}
            logging: {level: human, file: null}
            """;

    @TempDir Path folder;
    ConfigFixture fixture;

    @BeforeEach
    void aHomeAndAWorkspace() {
        fixture = new ConfigFixture(folder);
    }

    @Test
    void theFileOfAuthoritiesStartsFromTheFileThatNamesIt() {
        fixture.user("llm: {ca_file: certs/ours.pem}");
        assertEquals(
                Optional.of(fixture.userFile().resolveSibling("certs/ours.pem")),
                fixture.config().llm().caFile());

        fixture.extra("llm: {ca_file: ours.pem}");
        assertEquals(
                Optional.of(fixture.workspace.resolveSibling("ours.pem")),
                fixture.config().llm().caFile());

        fixture.extra("llm: {ca_file: /etc/ours.pem}");
        assertEquals(Optional.of(Path.of("/etc/ours.pem")), fixture.config().llm().caFile());
    }

    @Test
    void withoutAnyFileTheDefaultsOfTheContractHold() {
        AgentConfig config = fixture.config();
        OptionalInt unset = OptionalInt.empty();
        Duration patience = Duration.ofSeconds(120);

        assertEquals(fixture.workspace, config.workspace());
        assertEquals(
                new AgentConfig.Llm(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        unset,
                        4,
                        patience,
                        Optional.empty(),
                        3,
                        Optional.empty()),
                config.llm());
        assertEquals(new AgentConfig.Tools(4, 80_000, 32, true, List.of()), config.tools());
        assertEquals(ConfigFixture.permissions(List.of(), List.of()), config.permissions());
        assertEquals(
                new AgentConfig.Sandbox(SandboxMode.AUTO, false, List.of(), List.of()),
                config.sandbox());
        assertEquals(new ContextConfig(unset, 8, 4, false, unset, true, true), config.context());
        assertEquals(
                new LimitsConfig(
                        50,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty()),
                config.limits());
        assertEquals(new AgentConfig.Hooks(List.of(), List.of()), config.hooks());
        assertEquals(new AgentConfig.Commands(patience, List.of(), false), config.commands());
        assertEquals(new AgentConfig.Sessions(true, AgentConfig.Fsync.INTENT), config.sessions());
        assertEquals(new AgentConfig.Logging(LogLevel.HUMAN, Optional.empty()), config.logging());
    }

    @Test
    void theWindowIsTheModelsOwnUnlessAskedOtherwise() {
        assertEquals(80_000, fixture.config().context().tokensFor(0));
        assertEquals(200_000, fixture.config().context().tokensFor(200_000));
        fixture.user("context: {max_context_tokens: 64_000}");
        assertEquals(64_000, fixture.config().context().tokensFor(200_000));
    }

    @Test
    void laterLayersWin() {
        fixture.user("limits: {max_steps: 10}")
                .project("limits: {max_steps: 9}")
                .trusted()
                .extra("limits: {max_steps: 30}");
        assertOrigin(30, folder.resolve("extra.yaml") + ":1");

        fixture.variable("AGENT_MAX_STEPS", "40");
        assertOrigin(40, "AGENT_MAX_STEPS");

        fixture.options(Map.of("limits.max_steps", List.of("5")));
        assertOrigin(5, "--max-steps");
    }

    private void assertOrigin(int steps, String origin) {
        LoadedConfig loaded = fixture.load();
        assertEquals(steps, loaded.config().limits().maxSteps());
        assertEquals(origin, loaded.origin("limits.max_steps").text());
    }

    @Test
    void mapsMergeDeeplyAndListsAreReplaced() {
        fixture.user(
                        """
                        limits:
                          max_steps: 10
                          budget: 2.50
                        permissions:
                          deny: ["read_file(**/.env)"]
                        providers:
                          mine: {base_url: "http://127.0.0.1:9/v1", api_key_env: MINE}
                        """)
                .extra(
                        """
                        limits:
                          budget: 1
                        permissions:
                          deny: ["run_command(rm*)"]
                        providers:
                          mine: {base_url: "http://127.0.0.1:8/v1"}
                        """);
        AgentConfig config = fixture.config();

        assertEquals(10, config.limits().maxSteps());
        assertEquals(Optional.of(new BigDecimal("1")), config.limits().budget());
        assertEquals(List.of("run_command(rm*)"), config.permissions().deny());
        AgentConfig.Provider mine = config.providers().get("mine");
        assertEquals(Optional.of(URI.create("http://127.0.0.1:8/v1")), mine.baseUrl());
        assertEquals(Optional.of("MINE"), mine.apiKeyEnv());
    }

    @Test
    void rulesOfTheCommandLineAreAddedToThoseOfTheFiles() {
        fixture.user("permissions: {deny: [a, b]}")
                .options(Map.of("permissions.deny", List.of("b", "c")));
        LoadedConfig loaded = fixture.load();

        assertEquals(List.of("a", "b", "c"), loaded.config().permissions().deny());
        assertEquals(fixture.userFile() + ":1 + --deny", loaded.origin("permissions.deny").text());
    }

    @Test
    void theConfigurationByExampleIsUnderstood() {
        fixture.user(EXAMPLE);
        AgentConfig config = fixture.config();

        assertEquals(Optional.of(Effort.MEDIUM), config.llm().effort());
        assertEquals(OptionalLong.of(2_000_000), config.limits().maxTokensTotal());
        assertEquals(Optional.of(Duration.ofMinutes(30)), config.limits().timeout());
        AgentConfig.Provider openai = config.providers().get("openai");
        assertEquals(Optional.of(Protocol.OPENAI_CHAT), openai.protocol());
        AgentConfig.Model model = openai.models().get("my-model.v1");
        assertEquals(OptionalInt.of(100_000), model.contextWindow());
        assertEquals(Optional.of(new BigDecimal("12.5")), model.price().cacheWrite());
        assertEquals(
                List.of(
                        new HookConfig(
                                "python-lint",
                                "ruff check {file} --no-fix",
                                List.of("*.py"),
                                Duration.ofSeconds(10),
                                true),
                        new HookConfig("all", "true", List.of("*"), Duration.ofSeconds(10), true)),
                config.hooks().postEdit());
    }

    @Test
    @Tag("D81")
    void yamlTruthValuesCannotChangeTheMeaning() {
        fixture.user(
                """
                sandbox: {mode: off, network: on}
                llm: {effort: no}
                context: {parallel_tools: no}
                hooks: {post_edit: [{name: yes, command: on, enabled: off}]}
                """);
        AgentConfig config = fixture.config();

        assertEquals(
                new AgentConfig.Sandbox(SandboxMode.OFF, true, List.of(), List.of()),
                config.sandbox());
        assertEquals(Optional.of(Effort.OFF), config.llm().effort());
        assertFalse(config.context().parallelTools());
        HookConfig hook = config.hooks().postEdit().getFirst();
        assertEquals("yes", hook.name());
        assertEquals("on", hook.command());
        assertFalse(hook.enabled());
    }

    @Test
    void aModelsNameMayHoldADotInTheReport() {
        fixture.user("providers: {x: {models: {gpt-5.5: {context_window: 5}}}}");

        assertTrue(
                fixture.load()
                        .report()
                        .text(true)
                        .contains(
                                "providers.x.models.\"gpt-5.5\".context_window: 5  # "
                                        + fixture.userFile()
                                        + ":1\n"));
    }

    @Test
    void theReportListsEveryKeyOfFixedNameInTheOrderOfTheTable() {
        String text = fixture.load().report().text(true);

        assertTrue(text.startsWith("workspace: " + fixture.workspace + "  # built-in\nllm.model"));
        assertTrue(text.contains("limits.max_steps: 50  # built-in\n"), text);
        assertTrue(text.contains("llm.idle_timeout: 2m  # built-in\n"), text);
        assertTrue(text.contains("limits.budget: null  # built-in\n"), text);
    }

    @Test
    void emptySectionsAndEmptyFilesChangeNothing() {
        AgentConfig before = fixture.config();
        for (String yaml : List.of("", "# nothing\n", "---\n", "limits:\nllm: ~\nagents: {}\n")) {
            fixture.user(yaml);
            assertEquals(before, fixture.config(), yaml);
        }
    }

    @Test
    void nullTakesBackWhatALowerLayerSet() {
        fixture.user("limits: {budget: 5, timeout: 1h}").extra("limits: {budget: null}");

        assertEquals(Optional.empty(), fixture.config().limits().budget());
        assertEquals(Optional.of(Duration.ofHours(1)), fixture.config().limits().timeout());
        fixture.options(Map.of("limits.timeout", List.of("0")));
        assertEquals(Optional.empty(), fixture.config().limits().timeout());
    }

    @Test
    void emptyVariablesAreNotSet() {
        fixture.variable("AGENT_MODEL", "").variable("AGENT_BUDGET", "  ");

        assertEquals(Optional.empty(), fixture.config().llm().model());
    }

    @Test
    void xdgConfigHomeMovesTheUsersFileUnlessItIsRelative() throws IOException {
        Path xdg = Files.createDirectories(folder.resolve("xdg/agent"));
        Files.writeString(xdg.resolve("config.yaml"), "limits: {max_steps: 7}");
        fixture.user("limits: {max_steps: 8}").variable("XDG_CONFIG_HOME", xdg.getParent() + "");
        assertEquals(7, fixture.config().limits().maxSteps());

        fixture.variable("XDG_CONFIG_HOME", "xdg");
        assertEquals(8, fixture.config().limits().maxSteps());
    }

    @Test
    void theWorkspaceComesFromOptionBeforeVariableBeforeDirectory() throws IOException {
        Path other = Files.createDirectories(folder.resolve("other"));
        Path third = Files.createDirectories(folder.resolve("third"));
        fixture.variable("AGENT_WORKSPACE", other.toString());
        assertEquals(other, fixture.config().workspace());

        fixture.options(Map.of("workspace", List.of("../third")));
        assertEquals(third, fixture.config().workspace());
        assertEquals(third, ConfigLoader.workspace(fixture.sources()));

        fixture.options(Map.of("workspace", List.of("nowhere")));
        assertEquals(
                "--workspace: "
                        + fixture.workspace.resolve("nowhere")
                        + " is not a directory\n  Name an existing directory.",
                fixture.refusal());
    }

    @Test
    void relativePathsStartHereAndTildeIsHome() {
        fixture.user("logging: {file: logs/a.json}\nsandbox: {writable: [~/x, /opt/../srv]}");
        AgentConfig config = fixture.config();

        assertEquals(
                Optional.of(fixture.workspace.resolve("logs/a.json")), config.logging().file());
        assertEquals(
                List.of(fixture.home.resolve("x"), Path.of("/srv")), config.sandbox().writable());
    }

    @Test
    void aProfileReplacesWhatNobodySaidForThisInvocation() {
        fixture.user(
                """
                llm: {model: a/b}
                agents:
                  review: {max_steps: 7, model: c/d, confirm: confirm-all, tools: ["read_*"]}
                """);
        AgentConfig review = fixture.load().forAgent("review");
        assertEquals(7, review.limits().maxSteps());
        assertEquals(Optional.of("c/d"), review.llm().model());
        assertEquals(Confirm.CONFIRM_ALL, review.permissions().confirm());
        assertEquals(Optional.of(List.of("read_*")), review.agents().get("review").tools());
        assertEquals(fixture.config(), fixture.load().forAgent("build"));

        fixture.options(
                Map.of(
                        "limits.max_steps", List.of("3"),
                        "llm.model", List.of("e/f"),
                        "permissions.confirm", List.of("yolo")));
        AgentConfig said = fixture.load().forAgent("review");
        assertEquals(3, said.limits().maxSteps());
        assertEquals(Optional.of("e/f"), said.llm().model());
        assertEquals(Confirm.YOLO, said.permissions().confirm());
    }

    @Test
    void placesNameEveryFileAndWhetherItCounts() {
        fixture.project("limits: {max_steps: 3}").extra("");

        assertEquals(
                List.of(
                        new ConfigLoader.Place(
                                Origin.Kind.USER_FILE, fixture.userFile(), "not there"),
                        new ConfigLoader.Place(
                                Origin.Kind.USER_FILE,
                                fixture.userFile().resolveSibling("policy.yaml"),
                                "not there"),
                        new ConfigLoader.Place(
                                Origin.Kind.PROJECT_FILE,
                                fixture.projectFile(),
                                "skipped: not trusted"),
                        new ConfigLoader.Place(
                                Origin.Kind.PROJECT_FILE,
                                fixture.projectFile().resolveSibling("policy.yaml"),
                                "not there"),
                        new ConfigLoader.Place(
                                Origin.Kind.CONFIG_FILE, folder.resolve("extra.yaml"), "loaded")),
                ConfigLoader.places(fixture.sources()));
    }

    @Test
    void anOptionThatIsNoKeyIsOurBug() {
        fixture.options(Map.of("limits.steps", List.of("1")));

        assertThrows(IllegalArgumentException.class, fixture::load);
    }
}
