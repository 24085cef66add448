package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions that are copied, handed on and deleted from the command line. */
class SessionCopiesScenarioTest {
    @Test
    @DisplayName("--fork-session goes on in a copy: the session itself gets no further")
    void forkSession() {
        try (var model =
                        ScriptedServer.chat(
                                says("First answer."),
                                says("In the copy."),
                                says("In the first."));
                var world = World.with(model)) {
            String id = world.runInside("--json", "first question").result("session_id");
            Ended copy = world.runInside("--json", "--session", id, "--fork-session", "what if?");
            assertEquals(0, copy.exitCode(), copy::toString);
            assertNotEquals(id, copy.result("session_id"));
            assertTrue(model.lastRequest().raw().contains("First answer."));
            model.expectAnotherBeginning();
            world.runInside("--json", "--session", id, "and now?");
            assertFalse(model.lastRequest().raw().contains("In the copy."));
            assertEquals(2, world.journals().size());
            Ended fresh = world.runInside("--json", "--fork-session", "go");
            assertEquals(3, fresh.exitCode(), fresh::toString);
            assertTrue(fresh.errorMessage().contains("--continue"), fresh::toString);
        }
    }

    @Test
    @DisplayName("sessions fork ID --to-step N: a copy that ends there; files stay")
    void forkAtStep() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.txt", "content", "one"),
                                says("Wrote it."),
                                says("Another way."));
                var world = World.with(model)) {
            world.runInside("--yolo", "--sandbox=off", "write");
            String id = world.journals().getFirst().getParent().getFileName().toString();
            Ended fork = world.inside("sessions", "fork", id, "--to-step", "1", "--json");
            assertEquals(0, fork.exitCode(), fork::toString);
            String copy = fork.result("id");
            assertEquals("one", world.read("a.txt"));
            model.expectAnotherBeginning();
            Ended resumed = world.inside("resume", copy, "another way, please");
            assertEquals(0, resumed.exitCode(), resumed::toString);
            assertFalse(model.lastRequest().raw().contains("Wrote it."));
            assertEquals(1, model.lastRequest().toolResults().size());
            Ended beyond = world.inside("sessions", "fork", id, "--to-step", "7");
            assertEquals(3, beyond.exitCode());
            assertTrue(beyond.err().contains("2 steps"), beyond::toString);
        }
    }

    @Test
    @Tag("C29")
    @DisplayName("resume --resume-at goes on from a copy of the good records")
    void resumeAt() throws Exception {
        try (var model = ScriptedServer.chat(says("First."), says("Second."), says("Third."));
                var world = World.with(model)) {
            String id = world.runInside("--json", "one").result("session_id");
            Path journal = world.journals().getFirst();
            int good = Files.readAllLines(journal).size();
            world.runInside("--session", id, "two");
            List<String> lines = Files.readAllLines(journal);
            lines.set(good + 1, lines.get(good + 1).replace("two", "TWO"));
            String damaged = String.join("\n", lines) + "\n";
            world.damage(journal, damaged);

            Ended refused = world.inside("resume", id, "three", "--json");
            assertEquals(1, refused.exitCode(), refused::toString);
            assertTrue(refused.errorMessage().contains("--resume-at"), refused::toString);
            model.expectAnotherBeginning();
            Ended resumed =
                    world.inside(
                            "resume", id, "three", "--json", "--resume-at", Integer.toString(good));
            assertEquals(0, resumed.exitCode(), resumed::toString);
            String copy = resumed.result("session_id");
            assertNotEquals(id, copy);
            String told = resumed.result().path("warnings").toString();
            assertTrue(told.contains("this goes on in session " + copy), told);
            assertTrue(model.lastRequest().raw().contains("First."));
            assertFalse(model.lastRequest().raw().contains("Second."));
            assertEquals(damaged, Files.readString(journal));
            assertEquals(3, world.inside("resume", id, "x", "--resume-at", "many").exitCode());
        }
    }

    @Test
    @DisplayName("export: markdown, HTML and JSON hold the whole session, and nothing in them acts")
    void export() throws Exception {
        String evil = "<script>alert(1)</script> ``` ";
        String steering = evil + "\u001b[31m \u202e";
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", "a.txt"), says("Saw " + evil));
                var world = World.with(model).file("a.txt", steering)) {
            world.runInside("read it & tell");
            String id = world.journals().getFirst().getParent().getFileName().toString();
            Ended markdown = world.inside("sessions", "export", id);
            assertTrue(markdown.out().contains("# read it \\& tell"), markdown::toString);
            assertTrue(markdown.out().contains("````\n"), markdown::toString);
            Ended html = world.inside("sessions", "export", id, "--format", "html");
            assertTrue(html.out().contains("&lt;script&gt;"), html::toString);
            assertEquals(2, html.out().split("<script", -1).length, "its own, and no other");
            assertTrue(html.out().contains("default-src 'none'"), html::toString);
            Ended view = world.inside("sessions", "view", id);
            Path file = Path.of(view.out().strip());
            assertEquals(html.out(), Files.readString(file));
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            Files.delete(file);
            assertEquals(3, world.inside("sessions", "view").exitCode());
            Ended json = world.inside("sessions", "export", id, "--format", "json");
            JsonNode document = new ObjectMapper().readTree(json.out());
            assertEquals(id, document.path("id").asText());
            assertEquals(5, document.path("messages").size());
            assertTrue(document.at("/messages/3/text").asText().contains(evil.substring(0, 20)));
            assertEquals("0.0026", document.path("cost_usd").asText());
            for (Ended one : List.of(markdown, html)) {
                assertFalse(one.out().contains("\u001b"), one::toString);
                assertFalse(one.out().contains("\u202e"), one::toString);
            }
            assertEquals(3, world.inside("sessions", "export", id, "--format", "pdf").exitCode());
        }
    }

    @Test
    @DisplayName("rm asks, and without a terminal wants --yes; a short or wrong id deletes nothing")
    void remove() {
        try (var model = ScriptedServer.chat(says("One."), says("Two."));
                var world = World.with(model)) {
            String one = world.runInside("--json", "one").result("session_id");
            String two = world.runInside("--json", "two").result("session_id");
            assertEquals(3, world.inside("sessions", "rm", one).exitCode());
            assertEquals(1, world.inside("sessions", "rm", "01", "--yes").exitCode());
            assertEquals(1, world.inside("sessions", "rm", one, "01ABCDEF", "--yes").exitCode());
            assertEquals(2, world.journals().size());
            Ended rm = world.inside("sessions", "rm", one, "--yes", "--json");
            assertEquals(0, rm.exitCode(), rm::toString);
            assertEquals(one, rm.result().at("/deleted/0").asText());
            assertEquals(1, world.journals().size());
            assertTrue(world.journals().getFirst().toString().contains(two));
        }
    }

    @Test
    @Tag("C45")
    @DisplayName("prune deletes what is old, of this workspace, and never what is damaged")
    void prune() throws Exception {
        try (var model = ScriptedServer.chat(says("One."), says("Two."), says("Three."));
                var world = World.with(model)) {
            String old = world.runInside("--json", "old").result("session_id");
            String damaged = world.runInside("--json", "damaged").result("session_id");
            String fresh = world.runInside("--json", "fresh").result("session_id");
            for (Path journal : world.journals()) {
                String id = journal.getParent().getFileName().toString();
                Path meta = journal.resolveSibling("meta.json");
                if (id.equals(old)) {
                    String text = Files.readString(meta);
                    long before = Instant.now().minusSeconds(40 * 86_400L).toEpochMilli();
                    Files.writeString(
                            meta, text.replaceFirst("\"updated\":\\d+", "\"updated\":" + before));
                    Files.setLastModifiedTime(journal, FileTime.fromMillis(before));
                } else if (id.equals(damaged)) {
                    Files.delete(meta);
                    world.damage(journal, "rubbish\n");
                }
            }
            assertEquals(3, world.inside("sessions", "prune").exitCode());
            assertEquals(3, world.inside("sessions", "prune", "--older-than", "soon").exitCode());
            Ended dry = world.inside("sessions", "prune", "--older-than", "30d", "--dry-run");
            assertTrue(dry.out().contains(old) && dry.out().contains("1 session"), dry::toString);
            assertEquals(3, world.journals().size());
            Ended chosen =
                    world.inside("sessions", "prune", "--older-than", "30d", "--dry-run", "--json");
            assertEquals(old, chosen.result().at("/chosen/0").asText(), chosen::toString);
            Ended pruned =
                    world.inside("sessions", "prune", "--older-than", "30d", "--yes", "--json");
            assertEquals(0, pruned.exitCode(), pruned::toString);
            assertEquals(old, pruned.result().at("/deleted/0").asText());
            assertEquals(
                    List.of(damaged, fresh).stream().sorted().toList(),
                    world.journals().stream()
                            .map(it -> it.getParent().getFileName().toString())
                            .sorted()
                            .toList());
        }
    }

    @Test
    @Tag("C45")
    @DisplayName("prune leaves a session that is damaged in the middle, which no list can see")
    void pruneLeavesDamageInTheMiddle() throws Exception {
        try (var model = ScriptedServer.chat(says("One."));
                var world = World.with(model)) {
            world.runInside("--json", "old");
            Path journal = world.journals().getFirst();
            List<String> lines = Files.readString(journal).lines().toList();
            String middle = lines.get(lines.size() / 2);
            String broken = Files.readString(journal).replace(middle, middle.replace('"', 'x'));
            world.damage(journal, broken);
            Ended pruned = world.inside("sessions", "prune", "--older-than", "0h", "--yes");
            assertTrue(pruned.out().contains("nothing to delete"), pruned::toString);
            assertEquals(broken, Files.readString(journal));
        }
    }
}
