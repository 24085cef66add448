package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Long runs against the model server of the benchmark, which nobody of us wrote. Needs Node.js and
 * the folder that AGENT_BENCH_DIR (property or variable) names.
 */
@Tag("side-by-side")
class BenchIT {
    private static final String PROPERTY = System.getProperty("AGENT_BENCH_DIR", "");
    private static final String VARIABLE =
            System.getenv().getOrDefault("AGENT_BENCH_DIR", "../shared/bench");
    private static final Path BENCH =
            Path.of(PROPERTY.isEmpty() ? VARIABLE : PROPERTY).toAbsolutePath();

    @ParameterizedTest(name = "{0} steps, {1} {2}")
    @CsvSource({
        "10,CHAT,--parallel-tools", "10,CHAT,--no-stream",
        "10,RESPONSES,--parallel-tools", "10,RESPONSES,--no-stream",
        "10,MESSAGES,--parallel-tools", "10,MESSAGES,--no-stream",
        "10,GEMINI,--parallel-tools", "10,GEMINI,--no-stream",
        "200,CHAT,--parallel-tools", "200,MESSAGES,--no-stream",
        "200,RESPONSES,--parallel-tools"
    })
    @DisplayName("a scripted task of many steps is done, and its history only ever grows")
    void manySteps(int steps, Api api, String option) throws Exception {
        Path server = BENCH.resolve("fake_model.mjs");
        assumeTrue(Files.exists(server), () -> "there is no " + server);
        assumeTrue(hasNode(), "there is no Node.js");
        JsonNode scenario = Ended.parse(Files.readString(BENCH.resolve("scenarios/steps.json")));
        try (var world = World.withoutModel()) {
            scenario.path("files")
                    .properties()
                    .forEach(file -> world.file(file.getKey(), file.getValue().asText()));
            Path trace = world.root().resolve("trace.jsonl");
            Process node = node(server, steps, world, trace);
            try (BufferedReader lines =
                    new BufferedReader(node.inputReader(StandardCharsets.UTF_8))) {
                String port = lines.readLine().replaceFirst(".* ", "");
                Ended ended = run(world, port, api, option, scenario.path("prompt").asText());
                assertEquals(0, ended.exitCode(), ended::toString);
                assertEquals(steps + 1, ended.result().path("steps").asInt());
            } finally {
                node.destroy(); // TERM: it writes its trace
                node.waitFor();
            }
            check(world, steps, trace);
        }
    }

    /** What the server speaks, and how the program is told to speak it. */
    private enum Api {
        CHAT("openai-chat", "/v1"),
        RESPONSES("openai-responses", "/v1"),
        MESSAGES("anthropic", ""),
        GEMINI("gemini", "/v1beta");

        private final String protocol;
        private final String version;

        Api(String protocol, String version) {
            this.protocol = protocol;
            this.version = version;
        }
    }

    private static Ended run(World world, String port, Api api, String option, String prompt)
            throws IOException {
        world.env("BENCH_API_KEY", world.key());
        Path config = world.root().resolve("bench.yaml");
        Files.writeString(
                config,
                "providers: {bench: {protocol: %s, api_key_env: BENCH_API_KEY}}"
                        .formatted(api.protocol));
        return world.run(
                "--config=" + config,
                "--json",
                option,
                "--yolo",
                "--sandbox=off",
                "--max-steps=300",
                "--model=bench/fake-model",
                "--base-url=http://127.0.0.1:" + port + api.version,
                prompt);
    }

    private static void check(World world, int steps, Path trace) throws IOException {
        int rounds = (steps + 1) / 4;
        assertTrue(world.read("main.py").contains("VALUE = " + rounds + "  # counter"));
        for (int i = 0; i < steps / 4; i++) {
            assertEquals("round " + i + "\nsecond line\n", world.read("out_" + i + ".txt"));
        }
        List<String> rewritten = new ArrayList<>();
        int seen = 0;
        for (String line : Files.readAllLines(trace)) {
            JsonNode request = Ended.parse(line);
            if (request.has("append_only") && !request.path("append_only").asBoolean()) {
                rewritten.add(line);
            }
            seen++;
        }
        assertEquals(List.of(), rewritten);
        assertTrue(seen > steps, "requests in the trace: " + seen);
    }

    private static Process node(Path server, int steps, World world, Path trace)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "node",
                        server.toString(),
                        "--scenario",
                        BENCH.resolve("scenarios/steps.json").toString(),
                        "--steps",
                        Integer.toString(steps),
                        "--cwd",
                        world.workspace().toString(),
                        "--trace",
                        trace.toString());
        return builder.redirectError(new File("/dev/null")).start();
    }

    private static boolean hasNode() {
        try {
            return new ProcessBuilder("node", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
