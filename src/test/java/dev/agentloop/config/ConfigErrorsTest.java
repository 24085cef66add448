package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.LayerReader;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigErrorsTest {
    @TempDir Path folder;
    ConfigFixture fixture;

    @BeforeEach
    void aHomeAndAWorkspace() {
        fixture = new ConfigFixture(folder);
    }

    @Test
    void allProblemsOfAFileAreToldAtOnce() {
        fixture.user("limits:\n  max_steps: x\nllm:\n  modle: a/b\ncommands:\n  timeout: 11m\n");
        ConfigException refused = assertThrows(ConfigException.class, fixture::load);

        assertEquals(
                List.of("limits.max_steps", "llm.modle", "commands.timeout"),
                refused.problems().stream().map(ConfigException.Problem::key).toList());
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("traps")
    @Tag("D81")
    @DisplayName("traps of YAML are errors with their line")
    void yamlTrapsAreRefused(String yaml, String message) {
        assertEquals(message + "\n  Correct the file at this place.", fixture.user(yaml).refusal());
    }

    static Stream<Arguments> traps() {
        String big = "a: &a [x]\nb: [*a, *a]\n";
        return Stream.of(
                arguments(
                        "limits:\n  max_steps: 1\n  max_steps: 2",
                        "FILE:3:3: has the key \"max_steps\" again; it is already in line 2"),
                arguments(
                        "llm: {}\nlimits: {}\nllm: {}",
                        "FILE:3:1: has the key \"llm\" again; it is already in line 1"),
                arguments(
                        "llm: !!javax.script.ScriptEngineManager {}",
                        "FILE:1:6: has a tag tag:yaml.org,2002:javax.script.ScriptEngineManager,"
                                + " which is refused"),
                arguments(
                        "limits: {max_steps: !!int 5}",
                        "FILE:1:21: has a tag tag:yaml.org,2002:int, which is refused"),
                arguments(big, "FILE:1:4: has an anchor &a, which is not supported"),
                arguments(
                        "limits: &x {max_steps: *x}",
                        "FILE:1:9: has an anchor &x, which is not supported"),
                arguments("llm: *x", "FILE:1:6: has an alias *x, which is not supported"),
                arguments(
                        "limits:\n  <<: {max_steps: 5}",
                        "FILE:2:3: has a merge key <<, which is not supported"),
                arguments("? [a, b]\n: c", "FILE:1:3: has a key that is not text"),
                arguments("a: 1\n---\nb: 2", "FILE:2:1: has a second document"),
                arguments("- a", "FILE:1:1: holds a list instead of keys"),
                arguments("hello", "FILE:1:1: holds text instead of keys"),
                arguments(
                        "limits:\n\tmax_steps: 5",
                        "FILE:2:1: is not valid YAML: found character '\\t(TAB)' that cannot start"
                                + " any token. (Do not use \\t(TAB) for indentation)"),
                arguments(
                        "limits: {max_steps: 5",
                        "FILE:1:22: is not valid YAML: expected ',' or '}', but got <stream end>"),
                arguments(
                        "a: " + "[".repeat(30) + "]".repeat(30),
                        "FILE:1:24: is nested too deeply"));
    }

    @Test
    @Tag("D81")
    @DisplayName("a billion laughs do not get past their first anchor")
    @Timeout(5)
    void anAliasBombIsHarmless() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [lol, lol, lol]\n");
        for (int i = 1; i < 40; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }

        assertTrue(fixture.user(bomb.toString()).refusal().contains("has an anchor &a0"));
    }

    @Test
    @Tag("D81")
    @DisplayName("50 MB are not read")
    @Timeout(5)
    void filesAboveOneMegabyteAreRefused() {
        fixture.user("# " + "x".repeat(50_000_000));

        assertEquals(
                "FILE: is larger than 1 MB\n  Correct the file, or move it away.",
                fixture.refusal());
    }

    @Test
    @Timeout(5)
    void deepNestingBelowTheSizeLimitEndsAtOnce() {
        assertTrue(fixture.user("a: " + "[".repeat(900_000)).refusal().contains("too deeply"));
        assertTrue(fixture.user("a: " + "{a: ".repeat(200_000)).refusal().contains("too deeply"));
    }

    @Test
    void textThatIsNotUtf8IsRefusedWithItsLine() throws IOException {
        fixture.user("");
        Files.write(fixture.userFile(), "a: b\nc: \u00e4\n".getBytes(StandardCharsets.ISO_8859_1));

        assertEquals(
                "FILE:2: is not UTF-8 text\n  Correct the file, or move it away.",
                fixture.refusal());
    }

    @Test
    void controlCharactersAreRefusedWithTheirLine() {
        assertEquals(
                "FILE:2: has a control character\n  Remove the character.",
                fixture.user("llm: {}\nlimits: \u0000{}").refusal());
    }

    @Test
    void aByteOrderMarkIsNoMistake() {
        fixture.user("\uFEFFlimits: {max_steps: 5}");

        assertEquals(5, fixture.config().limits().maxSteps());
    }

    @Test
    void windowsLineEndsKeepTheLineNumbers() {
        assertTrue(
                fixture.user("llm: {}\r\nlimits:\r\n  x: 1\r\n").refusal().startsWith("FILE:3:"));
    }

    @Test
    void aFolderInPlaceOfTheFileIsRefused() throws IOException {
        Files.createDirectories(fixture.userFile());

        assertEquals(
                "FILE: is not a regular file\n  Correct the file, or move it away.",
                fixture.refusal());
    }

    @Test
    @Timeout(10)
    void aPipeInPlaceOfTheFileDoesNotHang() throws Exception {
        Files.createDirectories(fixture.userFile().getParent());
        Process mkfifo = new ProcessBuilder("mkfifo", fixture.userFile().toString()).start();
        Assumptions.assumeTrue(mkfifo.waitFor() == 0);

        assertTrue(fixture.refusal().startsWith("FILE: is not a regular file"));
    }

    @Test
    void anUnreadableFileIsRefused() throws IOException {
        fixture.user("limits: {}");
        Files.setPosixFilePermissions(
                fixture.userFile(), PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(fixture.userFile()), "root reads everything");

        assertEquals(
                "FILE: cannot be read: permission denied\n  Correct the file, or move it away.",
                fixture.refusal());
    }

    @Test
    @Tag("D39")
    @DisplayName("a file that others may write to is a warning")
    void looseRightsAreAWarning() throws IOException {
        fixture.user("limits: {max_steps: 5}");
        Files.setPosixFilePermissions(
                fixture.userFile(), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertEquals(
                List.of("Others may write to " + fixture.userFile() + "; chmod go-w closes it."),
                fixture.load().warnings());
        Files.setPosixFilePermissions(
                fixture.userFile(), PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals(List.of(), fixture.load().warnings());
    }

    @Test
    @Tag("D39")
    @DisplayName("a file of another user is refused")
    void aFileOfAnotherUserIsRefused() throws IOException {
        fixture.user("limits: {max_steps: 5}");
        try {
            Files.setAttribute(fixture.userFile(), "unix:uid", 12_345);
        } catch (IOException | UnsupportedOperationException e) {
            Assumptions.abort("only root may give a file away");
        }

        assertEquals(
                "FILE: belongs to another user, 12345\n  Correct the file, or move it away.",
                fixture.refusal());
    }

    @Test
    void aMissingConfigFileIsAnErrorOnlyWhenItWasNamed() throws IOException {
        fixture.extra("");
        Files.delete(folder.resolve("extra.yaml"));

        assertEquals(
                folder.resolve("extra.yaml")
                        + ": does not exist\n  Give --config a file that does (-c is --config;"
                        + " --continue goes on with the newest session).",
                fixture.refusal());
    }

    @Test
    void variablesAndOptionsAreCheckedLikeFiles() {
        fixture.variable("AGENT_MAX_STEPS", "ten");
        assertEquals(
                "AGENT_MAX_STEPS: limits.max_steps: \"ten\" is not a whole number\n"
                        + "  Allowed: a whole number from 0 to 1000000.",
                fixture.refusal());

        fixture.environment.clear();
        fixture.options(Map.of("sandbox.mode", List.of("of")));
        assertEquals(
                "--sandbox: \"of\" is not known; did you mean \"off\"?\n"
                        + "  Allowed: one of auto, required, bwrap, landlock, off.",
                fixture.refusal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-ant-api03-SECRET", "Bearer SECRET", "1SECRET", "a=SECRET"})
    void aKeyInPlaceOfAVariablesNameIsNotRepeated(String key) {
        fixture.user("providers: {x: {api_key_env: \"" + key + "\"}}");

        assertFalse(fixture.refusal().contains("SECRET"));
        assertTrue(fixture.refusal().contains("is not the name of a variable"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://u:SECRET@h/v1",
                "https://h/v1?key=SECRET",
                "https://h/#SECRET",
                "ftp://h/SECRET",
                "http:/SECRET",
                "http://h h/SECRET"
            })
    void anAddressThatCouldHoldASecretIsRefusedAndNotRepeated(String url) {
        fixture.user("providers: {x: {base_url: \"" + url + "\"}}");

        assertFalse(fixture.refusal().contains("SECRET"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key_header: \"api key\"",
                "key_header: \"a: SECRET\"",
                "query: api-version",
                "query: \"a=b&&c=d\"",
                "query: \"a=b#SECRET\"",
                "models: {m: {capabilities: {tool: true}}}",
                "models: {m: {capabilities: {tools: maybe}}}",
                "models: {m: {capabilities: {efforts: [hgih]}}}"
            })
    void whatIsSaidAboutAProviderIsReadStrictly(String said) {
        fixture.user("providers: {x: {" + said + "}}");

        assertTrue(fixture.refusal().startsWith("FILE:1: providers.x."), fixture.refusal());
        assertFalse(fixture.refusal().contains("SECRET"));
    }

    @Test
    @Tag("D74")
    @DisplayName("what a terminal would obey is not repeated")
    void controlCharactersOfAKeyAreNotPrinted() {
        fixture.user("limits: {\"\\e[2J\": 1}\nproviders: {x: {models: {\"a\\nb\": {}}}}");

        assertEquals(
                "FILE:1: limits.?[2J: unknown key\n"
                        + "  Known here: max_steps, budget, timeout, step_timeout,"
                        + " max_tokens_total, max_tool_calls.\n"
                        + "FILE:2: providers.x.models.a?b: \"a\\nb\" is not a name\n"
                        + "  Allowed: letters, digits, dot, dash and underscore; for models any"
                        + " text.",
                fixture.refusal());
    }

    @Test
    @Timeout(60)
    void noTextWhateverGetsPastTheReaderExceptAsARefusal() throws IOException {
        String example = Files.readString(Path.of("config/agent.example.yaml"));
        String signs = "\n\t :-{}[]&*!|>'\"%@#?,0x~\u0085\u2028\ud800";
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(example);
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                int to = Math.min(text.length(), at + random.nextInt(12));
                char sign = signs.charAt(random.nextInt(signs.length()));
                text.replace(at, random.nextBoolean() ? to : at, String.valueOf(sign));
            }
            parse(text.toString(), seed);
        }
    }

    private static void parse(String text, int seed) {
        try {
            LayerReader.file(Origin.Kind.USER_FILE, "f", YamlReader.read("f", text));
        } catch (ConfigException e) {
            assertTrue(String.valueOf(e.getMessage()).startsWith("f:"), "seed " + seed);
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void theLongestCommandTimeoutIsOneNumber() {
        fixture.user("commands: {timeout: 600s}");

        assertEquals(AgentConfig.Commands.MAX_TIMEOUT, fixture.config().commands().timeout());
        assertEquals(Duration.ofSeconds(600), AgentConfig.Commands.MAX_TIMEOUT);
        assertTrue(
                fixture.user("agents: {slow: {description: d, timeout: 0}}")
                        .refusal()
                        .contains("agents.slow.timeout"));
        assertTrue(fixture.user("commands: {timeout: 601s}").refusal().contains("out of range"));
    }
}
