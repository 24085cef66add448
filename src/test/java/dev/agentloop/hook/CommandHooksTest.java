package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CommandHooksTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path temporary;
    private Path root;
    private final ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
    private final Cancellation cancellation = new Cancellation();

    @BeforeEach
    void prepare() throws IOException {
        root = temporary.toRealPath();
        Path show = root.resolve("show");
        Files.writeString(show, "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\"\n");
        assertTrue(show.toFile().setExecutable(true));
    }

    @Test
    @Tag("scenario-33")
    @DisplayName("a failing lint is reported with its output")
    void aFailingLintIsReportedWithItsOutput() {
        HookReport report =
                only(hook("lint", "echo E501 line too long; echo x >&2; exit 1"), "a.py");
        assertEquals(
                new HookReport("lint", "a.py", 1, report.took(), "E501 line too long\nx"), report);
    }

    @Tag("B43")
    @Tag("scenario-34")
    @DisplayName("whatever is in the name, the hook gets one argument")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;touch PWN;.py",
                "a b.py",
                "it's \"quoted\".py",
                "$(touch PWN).py",
                "`touch PWN`.py",
                "a\ntouch PWN\n.py",
                "*.py",
                "dir/x && touch PWN.py",
            })
    void whateverIsInTheNameTheHookGetsOneArgument(String name) {
        for (String template :
                List.of(
                        "./show {file}",
                        "./show \"{file}\"",
                        "./show '{file}'",
                        "./show {file} | cat",
                        "./show \"{file}\" && true",
                        "./show '{file}' && true",
                        "true; ./show \"$AGENT_EDITED_FILE\"",
                        "sh -c './show \"$1\"' sh {file}")) {
            assertEquals(
                    "1|" + name.strip() + "|", only(hook("h", template), name).output(), template);
        }
        assertFalse(Files.exists(root.resolve("PWN")));
    }

    @Test
    void bothNamesOfTheVariableCarryThePath() {
        assertEquals(
                "src/a.py src/a.py",
                only(hook("h", "echo $AGENT_EDITED_FILE $ARCHITECT_EDITED_FILE"), "src/a.py")
                        .output());
    }

    @Test
    void patternsSpeakAboutTheNameOrThePath() {
        var hooks =
                new CommandHooks(
                        List.of(
                                new HookCommand("py", "echo py", List.of("*.py"), LONG),
                                new HookCommand("src", "echo src", List.of("src/**"), LONG),
                                new HookCommand("all", "echo all", List.of(), LONG)),
                        place(),
                        runner);
        assertEquals(
                List.of("py", "src", "all"), names(hooks.afterEdit("src/x/a.py", cancellation)));
        assertEquals(List.of("all"), names(hooks.afterEdit("README.md", cancellation)));
    }

    @Test
    @Tag("B39")
    @DisplayName("a hanging hook is killed with its tree and says so")
    void aHangingHookIsKilled() throws IOException {
        var slow =
                new HookCommand(
                        "slow",
                        "echo before; sh -c 'echo $$ >pid; exec sleep 300'",
                        List.of(),
                        Duration.ofSeconds(1));
        HookReport report = only(slow, "a");
        assertEquals(-1, report.exitCode());
        assertEquals("before\ntimed out after 1.0 s", report.output());
        Path process = Path.of("/proc", Files.readString(root.resolve("pid")).strip(), "cmdline");
        assertTrue(
                !Files.exists(process) || Files.readString(process).isEmpty(), "a zombie at most");
    }

    @Test
    @Tag("B40")
    @DisplayName("a missing or unusable program is reported once, not on each edit")
    void aMissingProgramIsReportedOnce() throws IOException {
        Files.writeString(root.resolve("plain"), "no program");
        for (String command :
                List.of("no_such_linter {file}", "no_such_linter | cat; exit 127", "./plain")) {
            var hooks = new CommandHooks(List.of(hook("h", command)), place(), runner);
            HookReport report = hooks.afterEdit("a", cancellation).getFirst();
            assertEquals(-1, report.exitCode(), command);
            assertTrue(report.output().contains("cannot start: "), report.output());
            assertEquals(List.of(), hooks.afterEdit("a", cancellation), command);
        }
    }

    @Test
    @Tag("B40")
    @DisplayName("a crash has its code; endless output is cut to 4 KB")
    void aCrashHasItsCodeAndOutputIsCut() {
        assertEquals(139, only(hook("h", "kill -SEGV $$; true"), "a").exitCode());
        String output = only(hook("h", "seq 100000; echo ñ end"), "a").output();
        assertTrue(output.getBytes(StandardCharsets.UTF_8).length <= 4_096);
        assertTrue(output.startsWith("1\n2\n") && output.endsWith("ñ end"), output);
    }

    @Test
    void aStoppedRunRunsNoHook() {
        cancellation.cancel(new Cause.Abort());
        var hooks = new CommandHooks(List.of(hook("h", "touch PWN")), place(), runner);
        assertEquals(List.of(), hooks.afterEdit("a", cancellation));
        assertFalse(Files.exists(root.resolve("PWN")));
    }

    @Test
    @Tag("B45")
    @DisplayName("a hook finds by whom and where it was started, so that none starts itself")
    void variables() {
        String seen =
                only(hook("h", "env | grep -E '^(AGENT_(HOOK|SES|WORK)|CLAUDE)' | sort"), "a")
                        .output();

        assertEquals(
                List.of(
                        "AGENT_HOOK=h",
                        "AGENT_HOOK_EVENT=post_edit",
                        "AGENT_SESSION_ID=session-1",
                        "AGENT_WORKSPACE=" + root,
                        "CLAUDE_PROJECT_DIR=" + root),
                seen.lines().toList());
    }

    private ShellHook.Place place() {
        return new ShellHook.Place(root, "session-1");
    }

    private HookReport only(HookCommand hook, String path) {
        return new CommandHooks(List.of(hook), place(), runner)
                .afterEdit(path, cancellation)
                .getFirst();
    }

    private static HookCommand hook(String name, String command) {
        return new HookCommand(name, command, List.of(), LONG);
    }

    private static List<String> names(List<HookReport> reports) {
        return reports.stream().map(HookReport::name).toList();
    }
}
