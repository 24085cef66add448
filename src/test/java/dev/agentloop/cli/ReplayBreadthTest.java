package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.blackbox.BusyScript;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever can happen in a run happens in its replay. */
class ReplayBreadthTest {
    private static final Reply WRITE = calls("write_file", "file_path", "a.txt", "content", "x\n");

    private static void replays(int code, Ended first, World world, String... words) {
        assertEquals(code, first.exitCode(), first::toString);
        Ended second = Tapes.replay(world, words);
        assertEquals(
                String.join("\n", Tapes.stream(first)),
                String.join("\n", Tapes.stream(second)),
                () -> first + "\n" + second);
        assertEquals(code, second.exitCode(), second::toString);
    }

    @Test
    @DisplayName("Compactions, by summary and otherwise, happen again in a replay")
    void compaction() {
        try (var model =
                        ScriptedServer.chat()
                                .allowingCompaction()
                                .thenForEver(
                                        new BusyScript(
                                                25,
                                                step ->
                                                        calls(
                                                                "read_file",
                                                                "file_path",
                                                                step % 5 + ".txt"),
                                                "They read."));
                var world = World.with(model).config("context: {max_context_tokens: 18000}")) {
            for (int i = 0; i < 5; i++) {
                world.file(i + ".txt", ("file " + i + ", a line of some length\n").repeat(200));
            }
            Ended first = Tapes.record(world, "go");
            assertEquals(true, !first.events("context.compacted").isEmpty(), first::toString);

            replays(0, first, world);
        }
    }

    @Test
    @DisplayName("Another model takes over in the replay, too, at its own price")
    void failover() {
        try (var first =
                        ScriptedServer.chat(
                                WRITE, Faults.status(503), Faults.cutAfter(says("half")));
                var second = ScriptedServer.start(Protocol.MESSAGES, says("done"));
                var world =
                        World.with(first)
                                .env("SECOND_API_KEY", "sk-second")
                                .provider("second", second)) {
            replays(0, Tapes.record(world, "--fallback-model=second/model", "go"), world);
        }
    }

    @ParameterizedTest
    @DisplayName("Modes and limits: planning and building, dry runs, caps on calls, strictness")
    @CsvSource(
            delimiter = '|',
            value = {
                "--mode=mixed | 0",
                "--dry-run | 0",
                "--max-tool-calls=2 | 2",
                "--no-stream | 0",
                "--agent=plan | 0",
                "--budget=0.0029 | 2",
                "--deny=write_file --strict-denials | 2",
                "--exit-code-on-partial=0 --max-steps=1 | 0",
                "--no-session | 0",
                "--no-parallel-tools | 0",
            })
    void modes(String words, int code) {
        Reply three =
                calls(
                        call("read_file", "file_path", "b.txt"),
                        call("write_file", "file_path", "c.txt", "content", "x"),
                        call("read_file", "file_path", "no.txt"));
        Reply plan = calls(call("read_file", "file_path", "b.txt"));
        boolean mixed = words.contains("mixed");
        try (var model =
                        (mixed
                                        ? ScriptedServer.chat(plan, says("The plan."))
                                        : ScriptedServer.chat())
                                .thenForEver(says("That was it."));
                var world = World.with(model).file("b.txt", "b\n")) {
            if (!mixed && code != 2 || words.contains("deny") || words.contains("calls")) {
                model.then(three);
            }
            String[] all = (words + " go").split(" ");

            replays(code, Tapes.record(world, all), world);
        }
    }

    @ParameterizedTest
    @DisplayName("Hooks that end a run, speak to the model or send it back, and gates, replay")
    @CsvSource(
            delimiter = '|',
            value = {
                "pre_tool | false | 0",
                "pre_tool | echo '{\"continue\":false,\"stopReason\":\"late\"}' | 2",
                "iteration | echo '{\"continue\":false,\"stopReason\":\"late\"}' | 2",
                "iteration | echo '{\"message\":\"be quick\"}' | 0",
                "prompt_build | echo Be brief. | 0",
                "agent_done | test -e a.txt.2 && exit 0; touch a.txt.2; echo more >&2; exit 2 | 0",
                "post_tool | echo look >&2; exit 2 | 0",
                "session_end | false | 0",
                "pre_llm | true | 0",
            })
    void hooks(String event, String command, int code) {
        String quoted = command.replace("\\", "\\\\").replace("\"", "\\\"");
        boolean begins = !(event.equals("iteration") && code == 2);
        try (var model =
                        (begins ? ScriptedServer.chat(WRITE) : ScriptedServer.chat())
                                .thenForEver(says("done"));
                var world =
                        World.with(model)
                                .config(
                                        "hooks: {%s: [{name: h, command: \"%s\"}]}"
                                                .formatted(event, quoted))) {
            replays(code, Tapes.record(world, "go"), world);
        }
    }

    @Test
    @DisplayName("A quality gate that fails once and then passes is not run again")
    void gate() {
        try (var model = ScriptedServer.chat(WRITE, says("done"), says("mended"));
                var world =
                        World.with(model)
                                .config(
                                        """
                                        guardrails:
                                          quality_gates:
                                            - {name: t, command: "test -e ran || { touch ran; exit 1; }"}
                                        """)) {
            replays(0, Tapes.record(world, "go"), world);
        }
    }

    @Test
    @DisplayName("a run of a model that only --base-url knows replays without that server")
    void namedServer() {
        try (var model = ScriptedServer.chat(WRITE, says("Done."));
                var world = World.with(model).file("a.txt", "x")) {
            String[] words = {
                "--model=own/model", "--base-url=" + model.baseUrl(), "--max-steps=5", "look"
            };
            Ended first = Tapes.record(world, words);
            replays(0, first, world);
        }
    }

    @ParameterizedTest(name = "Replies of {0}, with reasoning and images, replay")
    @EnumSource
    void protocols(Protocol protocol) {
        try (var model = ScriptedServer.start(protocol, WRITE.saying("Now."), says("done"));
                var world = World.with(model)) {
            replays(0, Tapes.record(world, "go"), world);
        }
    }

    @Test
    @DisplayName("A run that its time ends, in the middle of a reply, replays at once")
    void deadline() {
        try (var model = ScriptedServer.chat(WRITE, Faults.stallAfter("I begin"), says("Late."));
                var world = World.with(model)) {
            replays(5, Tapes.record(world, "--timeout=2", "go"), world);
        }
    }

    @Test
    @DisplayName("A history that is too long for the server is made shorter, or ends the run")
    void overflow() {
        try (var model = ScriptedServer.chat(WRITE).thenForEver(Faults.tooLong());
                var world = World.with(model)) {
            replays(2, Tapes.record(world, "go"), world);
        }
    }

    @Test
    @DisplayName("The demo is recorded and replayed like any other run")
    void demo() {
        try (var world = World.withoutModel()) {
            Ended first =
                    world.runInside(
                            "--output-format=stream-json",
                            "--model=demo/scripted",
                            "--record",
                            Tapes.FILE,
                            "fix it");
            replays(0, first, world);
        }
    }
}
