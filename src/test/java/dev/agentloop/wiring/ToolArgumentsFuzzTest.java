package dev.agentloop.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.HostileCalls;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No argument of any tool ends a run. The tools are those of {@link Tools}, their parameters those
 * of their schemas, so a new one is tried without a word here.
 */
class ToolArgumentsFuzzTest {
    private static final int BATCH = 32; // calls of one reply that are run

    @TempDir Path folder;

    static Stream<String> names() {
        return Tools.NAMES.stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    @DisplayName("Whatever stands in a call, it has one result and the run ends as its model says")
    void hostileArguments(String name) throws Exception {
        prepare();
        Tool<?> tool = tool(name);
        List<String> calls = new HostileCalls(tool.spec().parameters()).inTurn();
        for (int i = 0; i < calls.size(); i += BATCH) {
            answered(tool, calls.subList(i, Math.min(calls.size(), i + BATCH)));
        }
    }

    /** One reply of the model, and the end of the run that comes after it. */
    private void answered(Tool<?> tool, List<String> calls) {
        AgentFixture fixture =
                AgentFixture.with(
                                ScriptedLlm.of(
                                        turn(tool.spec().name(), calls), ScriptedLlm.says("done")))
                        .in(folder)
                        .context(0)
                        .maxSteps(3)
                        .tool(tool);
        RunResult result = fixture.run("go");

        assertEquals(StopReason.LLM_DONE, result.stopReason());
        List<Message.Tool> results = fixture.results();
        assertEquals(calls.size(), results.size());
        for (int i = 0; i < results.size(); i++) {
            String call = calls.get(i);
            String text = results.get(i).result().text();
            assertFalse(
                    text.contains("Internal error"),
                    () -> call.substring(0, Math.min(300, call.length())) + "\n" + text);
        }
    }

    private static ScriptedLlm.Turn turn(String name, List<String> calls) {
        String[] pairs = new String[2 * calls.size()];
        for (int i = 0; i < calls.size(); i++) {
            pairs[2 * i] = name;
            pairs[2 * i + 1] = calls.get(i);
        }
        return ScriptedLlm.calls(pairs);
    }

    private Tool<?> tool(String name) {
        Tools.Parts parts =
                new Tools.Parts(
                        ConfigLoader.load(ConfigSources.of(Map.of(), folder, folder)).config(),
                        new ProcessRunner(Map.of("PATH", "/usr/bin:/bin"), List.of()),
                        Map.of("PATH", "/usr/bin:/bin"),
                        Person.NOBODY,
                        true,
                        List.of());
        return Tools.own(parts).stream()
                .filter(tool -> tool.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** What a path may lead to. */
    private void prepare() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("x"), "a".repeat(22) + "!\nx\n");
        Files.createDirectories(folder.resolve("folder"));
        Files.writeString(folder.resolve("folder/y"), "x\n");
        Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        Files.createSymbolicLink(folder.resolve("zero"), Path.of("/dev/zero"));
        Files.createSymbolicLink(folder.resolve("dangling"), Path.of("nowhere"));
        Process fifo = new ProcessBuilder("mkfifo", folder.resolve("fifo").toString()).start();
        assertEquals(0, fifo.waitFor());
    }
}
