package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a repository may say before a person trusts it, and what that decision is bound to. */
class TrustScenarioTest {
    private static final String HOOK =
            "hooks:\n  post_edit:\n    - {name: evil, command: touch hooked}\n";

    @Test
    @Tag("D40")
    @Tag("D42")
    @Tag("P15")
    @DisplayName("nothing of an untrusted repository is executed or honoured")
    void untrusted() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a", "content", "x"),
                                says("Done."));
                var world =
                        World.with(model)
                                .file(".agent/config.yaml", HOOK + "llm: {base_url: 'http://x/'}")
                                .file(".agent/policy.yaml", "permissions: {deny: [write_file]}")) {
            Ended ended = world.runInside("--json", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("a"));
            assertFalse(world.exists("hooked"));
            String warnings = ended.result().path("warnings").toString();
            assertTrue(warnings.contains(".agent/config.yaml"), warnings);
            assertTrue(warnings.contains(".agent/policy.yaml"), warnings);
            assertEquals(2, model.requests().size());
        }
    }

    @Test
    @Tag("D45")
    @Tag("P15")
    @Tag("P17")
    @DisplayName("what is trusted is read, and holds until a byte of it changes")
    void trustedUntilItChanges() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a", "content", "x"),
                                says("Done."),
                                calls("write_file", "file_path", "b", "content", "x"),
                                says("Done."));
                var world = World.with(model).file(".agent/config.yaml", HOOK)) {
            assertEquals(0, world.inside("config", "trust").exitCode());
            assertTrue(world.inside("config", "trust", "--show").out().startsWith("Trusted: "));

            Ended first = world.runInside("--json", "go");
            assertEquals(0, first.exitCode(), first::toString);
            assertEquals("evil", first.result().path("hooks").path(0).path("name").asText());

            world.file(".agent/config.yaml", HOOK + "# other");
            Ended second = world.runInside("--json", "go");
            assertEquals(0, second.result().path("hooks").size(), second::toString);
            assertTrue(second.result().path("warnings").toString().contains("was trusted, but"));
            String shown = world.inside("config", "trust", "--show").out();
            assertTrue(shown.startsWith("Was trusted, but is not what it was: "), shown);
        }
    }

    @Test
    @Tag("D51")
    @DisplayName("another folder at the same place is another workspace; links lead to one")
    void anotherFolder() throws IOException {
        try (var world = World.withoutModel()) {
            assertEquals(0, world.inside("config", "trust").exitCode());
            Path link = Files.createSymbolicLink(world.root().resolve("link"), world.workspace());
            Ended throughLink = world.inside("config", "trust", "--show");
            assertTrue(throughLink.out().startsWith("Trusted: "), throughLink::toString);
            assertTrue(Files.exists(link));

            Files.move(world.workspace(), world.root().resolve("moved"));
            Files.createDirectory(world.workspace());
            String shown = world.inside("config", "trust", "--show").out();
            assertTrue(shown.startsWith("Was trusted, but is not what it was: "), shown);
        }
    }

    @Test
    @Tag("D51")
    @DisplayName("a worktree that its repository does not know cannot be trusted for ever")
    void forgedWorktree() throws IOException {
        try (var world = World.withoutModel()) {
            Path other = Files.createDirectories(world.root().resolve("other/.git/worktrees/w"));
            Files.writeString(other.resolve("gitdir"), world.root() + "/elsewhere/.git\n");
            Files.writeString(other.resolve("commondir"), "../..\n");
            world.file(".git", "gitdir: " + other + "\n");

            Ended refused = world.inside("config", "trust");

            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.err().contains("does not belong to this folder"), refused::err);
        }
    }

    @Test
    @Tag("D10")
    @DisplayName("links in .agent, or .agent as a link, are not believed")
    void links() throws IOException {
        try (var world = World.withoutModel()) {
            Path elsewhere = Files.createDirectories(world.root().resolve("elsewhere"));
            Files.createSymbolicLink(world.workspace().resolve(".agent"), elsewhere);
            Ended refused = world.inside("config", "trust");
            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.err().contains(".agent is no folder of its own"), refused::err);
        }
    }

    @Test
    @Tag("D44")
    @DisplayName("the home folder, and one that holds our files, are trusted by word only")
    void home() throws IOException {
        try (var world = World.withoutModel()) {
            Files.createDirectories(world.home());
            world.env("AGENT_WORKSPACE", world.home().toString());
            Ended refused = world.inside("config", "trust");
            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.err().contains("home folder"), refused::err);
        }
        try (var world = World.withoutModel()) {
            Path inside = Files.createDirectories(world.workspace().resolve("state"));
            world.env("XDG_STATE_HOME", inside.toString());
            Ended refused = world.inside("config", "trust");
            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.err().contains("where decisions are kept"), refused::err);
        }
    }

    @Test
    @Tag("D33")
    @DisplayName("the file of decisions is its owner's alone, and a link in its place is refused")
    void privateFile() throws IOException {
        try (var world = World.withoutModel()) {
            assertEquals(0, world.inside("config", "trust").exitCode());
            Path file = world.root().resolve("state/agent/trust/workspaces.json");
            assertEquals(
                    PosixFilePermissions.fromString("rw-------"),
                    Files.getPosixFilePermissions(file));
            Files.move(file, file.resolveSibling("other"));
            Files.createSymbolicLink(file, Path.of("other"));

            Ended refused = world.inside("config", "trust", "--show");

            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.err().contains("symbolic link"), refused::err);
        }
    }

    @Test
    @Tag("D46")
    @DisplayName("an allow list still binds under yolo, and yolo trusts nothing")
    void yoloTrustsNothing() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a", "content", "x"),
                                calls("run_command", "command", "touch b"),
                                says("Done."));
                var world = World.with(model).file(".agent/config.yaml", HOOK)) {
            Ended ended =
                    world.runInside(
                            "--json", "--yolo", "--sandbox=off", "--deny=run_command", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("a"));
            assertFalse(world.exists("b"));
            assertFalse(world.exists("hooked"));
        }
    }

    @Test
    @Tag("P10")
    @DisplayName("--allow-destructive in a workspace that is not trusted says that it is idle")
    void idleWord() {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model)) {
            Ended idle = world.runInside("--json", "--allow-destructive", "go");
            assertTrue(
                    idle.result().path("warnings").toString().contains("has no effect"),
                    idle::toString);
            Ended heeded = world.runInside("--json", "--allow-destructive", "--trust", "go");
            assertFalse(
                    heeded.result().path("warnings").toString().contains("has no effect"),
                    heeded::toString);
        }
    }
}
