package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that go on. */
class SessionsScenarioTest {
    @ParameterizedTest
    @EnumSource
    @Tag("row-63")
    @DisplayName("--continue, --session and resume send the whole history; costs add up")
    void goesOn(Protocol protocol) {
        try (var model =
                        ScriptedServer.start(
                                protocol,
                                calls("read_file", "file_path", "a.txt"),
                                says("First answer."),
                                says("Second answer."),
                                says("Third answer."),
                                says("Fourth answer."));
                var world = World.with(model).file("a.txt", "the secret is 7")) {
            Ended first = world.runInside("--json", "first question");
            String id = first.result("session_id");
            Ended second = world.runInside("--json", "--continue", "second question");
            assertEquals(0, second.exitCode(), second::toString);
            assertEquals(id, second.result("session_id"));
            world.runInside("--json", "--session", id, "third question");
            Ended last = world.inside("resume", id.toLowerCase(java.util.Locale.ROOT), "--json");
            assertEquals(0, last.exitCode(), last::toString);
            assertEquals("Fourth answer.", last.result("result"));
            String raw = model.lastRequest().raw();
            for (String part :
                    new String[] {
                        "first question",
                        "the secret is 7",
                        "First answer.",
                        "second question",
                        "Second answer.",
                        "third question",
                        "Third answer."
                    }) {
                assertTrue(raw.contains(part), part);
            }
            BigDecimal usd = new BigDecimal(last.result().path("cost").path("usd").asText());
            assertEquals(new BigDecimal("0.0065"), usd, last::toString);
            assertEquals(1, world.journals().size());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resume --last ID go on",
                "resume --last PREFIX go on",
                "resume --last ID",
                "resume --last --session ID go on",
                "resume --continue --session ID go on",
                "resume --session ID PREFIX go on",
                "resume ID --no-session go on",
                "run --session ID --continue go on",
                "run --session ID --no-session go on",
                "run --continue --no-session go on",
                "run --continue ID go on",
            })
    @Tag("row-63")
    @DisplayName("two sessions at once are refused with 3 and what to write; nothing is sent")
    void oneSession(String line) {
        try (var model = ScriptedServer.chat(says("First."));
                var world = World.with(model)) {
            String id = world.runInside("--json", "first").result("session_id");
            String prefix = id.substring(0, 14).toLowerCase(java.util.Locale.ROOT);
            String words = line.replace("ID", id).replace("PREFIX", prefix);

            Ended ended = world.inside((words + " --json").split(" "));

            assertEquals(3, ended.exitCode(), ended::toString);
            String said = ended.errorMessage();
            assertTrue(
                    said.contains("contradict each other. Leave one")
                            || said.contains("Write agent resume "),
                    said);
            assertEquals(1, model.requests().size());
        }
    }

    @Test
    @DisplayName("An empty list says on standard error that there is none, and where others are")
    void nothingToList() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Done."));
                var world = World.with(model)) {
            Ended none = world.inside("sessions", "list", "--all", "--json");
            assertEquals("", none.out());
            assertEquals("There are no sessions yet.\n", none.err());
            Ended here = world.inside("sessions", "list");
            assertEquals("", here.out());
            assertEquals(0, here.exitCode());
            assertEquals(
                    "There is no session of the workspace "
                            + world.workspace()
                            + "; agent sessions list --all shows those of other folders.\n",
                    here.err());
            world.runInside("--max-steps=1", "--no-stream", "go");
            assertTrue(world.inside("sessions", "list").out().contains("  1 step   "));
        }
    }

    @Test
    @DisplayName("A task may begin with any word that is no session")
    void wordsAreNoSession() {
        try (var model = ScriptedServer.chat(says("First."), says("Second."));
                var world = World.with(model)) {
            world.runInside("first");
            Ended ended = world.inside("resume", "--last", "0123456", "is", "wrong");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.lastRequest().lastTask().startsWith("0123456 is wrong"));
        }
    }

    @Test
    @DisplayName("sessions list and show name what was asked; --no-session keeps nothing")
    void listAndShow() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Here."), says("Gone."));
                var world = World.with(model)) {
            Ended run = world.runInside("--json", "where is ñandú?");
            String id = run.result("session_id");
            world.runInside("--no-session", "forget it");
            Ended list = world.inside("sessions", "list");
            assertEquals(1, list.out().lines().count(), list::toString);
            for (String part : new String[] {id, "success", "2 steps", "canary/model", "ñandú"}) {
                assertTrue(list.out().contains(part), list::toString);
            }
            Ended json = world.inside("sessions", "list", "--json");
            assertEquals(id, json.result("id"));
            Ended show = world.inside("sessions", "show", id);
            for (String part : new String[] {"where is ñandú?", "list_files", "Here."}) {
                assertTrue(show.out().contains(part), show::toString);
            }
            assertEquals(1, world.inside("sessions", "show", "0123456789").exitCode());
            assertEquals(3, world.inside("sessions", "list", "all").exitCode());
        }
    }

    @Test
    @DisplayName("a session that does not exist is exit code 1 with a hint, nothing else happens")
    void unknownSession() {
        try (var world = World.withoutModel()) {
            Ended last = world.inside("resume", "--last", "--json");
            assertEquals(1, last.exitCode(), last::toString);
            assertTrue(last.errorMessage().contains("no session"), last::toString);
            Ended unknown = world.runInside("--json", "--session", "01ABCDEF", "go");
            assertEquals(1, unknown.exitCode(), unknown::toString);
            assertEquals(3, world.inside("resume", "--json").exitCode());
        }
    }

    @Test
    @DisplayName("a run that was stopped by a limit is resumed with all that was done")
    void resumedPartial() {
        var read = calls("read_file", "file_path", "a.txt");
        try (var model = ScriptedServer.chat(read, says("Summary so far."), says("Finished."));
                var world = World.with(model).file("a.txt", "content")) {
            assertEquals(2, world.runInside("--max-steps", "1", "the task").exitCode());
            Ended resumed = world.inside("resume", "--last", "--json");
            assertEquals(0, resumed.exitCode(), resumed::toString);
            assertEquals("Finished.", resumed.result("result"));
            assertTrue(model.lastRequest().raw().contains("Summary so far."));
            assertEquals(1, model.lastRequest().toolResults().size());
        }
    }

    @Test
    @Tag("C24")
    @DisplayName("a read that was cut off is made again before the model is asked, once")
    void cutOffRead() throws IOException {
        var read = calls("read_file", "file_path", "a.txt");
        try (var model = ScriptedServer.chat(read, says("Lost."), says("Found."), says("More."));
                var world = World.with(model).file("a.txt", "before")) {
            world.runInside("the task");
            Path journal = world.journals().getLast();
            List<String> lines = Files.readString(journal).lines().toList();
            int intent = 0;
            while (!lines.get(intent).contains("\"t\":\"intent\"")) {
                intent++;
            }
            String cut = String.join("\n", lines.subList(0, intent + 1)) + "\n";
            world.damage(journal, cut).file("a.txt", "now");
            model.expectAnotherBeginning();
            Ended resumed = world.inside("resume", "--last", "--json");
            assertEquals("Found.", resumed.result("result"), resumed::toString);
            assertTrue(model.lastRequest().lastToolResult().contains("now"), resumed::toString);

            assertEquals(0, world.inside("resume", "--last", "--json", "more").exitCode());
            assertEquals(1, model.lastRequest().toolResults().size());
        }
    }

    @Test
    @DisplayName(
            "a session that goes on with another agent gets that agent's instructions and tools")
    void anotherAgent() {
        try (var model = ScriptedServer.chat(says("The plan."), says("Built."), says("More."));
                var world = World.with(model)) {
            world.runInside("--agent", "plan", "plan it");
            Ended built = world.runInside("--json", "--continue", "--agent", "build", "build it");
            assertEquals("build", built.result("agent"));
            assertTrue(model.request(0).system().contains("planning"));
            assertFalse(model.request(1).system().contains("planning"));
            assertTrue(model.request(1).tools().contains("write_file"));
            assertTrue(model.request(1).raw().contains("The plan."));
            world.runInside("--continue", "more");
            assertEquals(model.request(1).system(), model.request(2).system());
        }
    }
}
