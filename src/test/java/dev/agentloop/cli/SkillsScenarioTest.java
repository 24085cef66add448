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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Skills and commands in runs. */
class SkillsScenarioTest {
    private static final String SKILL = "---\ndescription: How to release.\n---\nTag first.";

    private static void ofUser(World world, String name, String text) throws IOException {
        Path file = world.root().resolve("config/agent").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    @Tag("S4-2")
    @DisplayName("only name and description are in the prompt; the tool brings the rest")
    void aSkill() throws IOException {
        try (var model = ScriptedServer.chat(calls("skill", "name", "release"), says("Done."));
                var world = World.with(model)) {
            ofUser(world, "skills/release/SKILL.md", SKILL);
            Ended ended = world.runInside("--json", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String system = model.request(0).system();
            assertTrue(system.contains("\n- release: How to release."), system);
            assertFalse(system.contains("Tag first."), system);
            assertEquals("skill", model.request(0).tools().getLast());
            assertEquals("Tag first.", model.lastRequest().lastToolResult().strip());
        }
    }

    @Test
    @DisplayName("Where there is no skill, the model is told of none and pays nothing")
    void none() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            world.runInside("go");
            assertFalse(model.request(0).tools().contains("skill"));
            assertFalse(model.request(0).system().contains("Skills"));
        }
    }

    @Test
    @Tag("P15")
    @DisplayName("skills of a project count when it is trusted, also those that AGENTS.md names")
    void ofAProject() {
        try (var model = ScriptedServer.chat(says("One."), says("Two."));
                var world =
                        World.with(model)
                                .file(".agent/skills/release/SKILL.md", SKILL)
                                .file("AGENTS.md", "Charts: see tools/chart/SKILL.md.")
                                .file("tools/chart/SKILL.md", SKILL.replace("release", "draw"))) {
            Ended untrusted = world.runInside("--json", "go");
            assertFalse(model.request(0).raw().contains("How to"), untrusted::toString);
            String warnings = untrusted.result().path("warnings").toString();
            assertTrue(warnings.contains("/.agent/skills"), warnings);

            world.runInside("--json", "--trust", "go");
            String system = model.request(1).system();
            assertTrue(system.contains("- chart: How to draw."), system);
            assertTrue(system.contains("- release: How to release."), system);
        }
    }

    @Test
    @DisplayName("A rule about a skill binds: it is denied by its name")
    void denied() throws IOException {
        try (var model = ScriptedServer.chat(calls("skill", "name", "release"), says("Done."));
                var world = World.with(model)) {
            ofUser(world, "skills/release/SKILL.md", SKILL);
            world.runInside("--deny", "skill(release)", "go");
            assertTrue(model.lastRequest().lastToolResult().startsWith("Not allowed"));
        }
    }

    @Test
    @DisplayName("A broken skill is left out with file and line, and the run goes on")
    void broken() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            ofUser(world, "skills/release/SKILL.md", "---\nnane: x\n---\nHi");
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            String warnings = ended.result().path("warnings").toString();
            assertTrue(warnings.contains("SKILL.md:2: nane: unknown key"), warnings);
            assertEquals(3, world.inside("skills", "list").exitCode());
        }
    }

    @Test
    @DisplayName("A broken command hides no other from the list, and is named with file and line")
    void brokenCommand() throws IOException {
        try (var world = World.withoutModel()) {
            ofUser(world, "commands/bad.md", "---\nnane: x\n---\nHi");
            ofUser(world, "commands/good.md", "Hello.");
            Ended list = world.inside("skills", "list");
            assertEquals(3, list.exitCode(), list::toString);
            assertEquals("/good  [user]\n", list.out());
            assertTrue(list.err().contains("bad.md:2: nane: unknown key"), list::toString);
        }
    }

    @Test
    @DisplayName("A command is its text with the words put in; nothing in it is run")
    void aCommand() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model)) {
            ofUser(
                    world,
                    "commands/fix.md",
                    "---\ndescription: Fixes.\n---\nFix $1 as $2. All: $ARGUMENTS. !`touch x` $(y)");
            ofUser(world, "commands/note.md", "Take a note.");

            assertEquals(0, world.runInside("/fix", "12", "\"two words\"").exitCode());
            assertEquals(
                    "Fix 12 as two words. All: 12 \"two words\". !`touch x` $(y)",
                    model.request(0).lastText().split("\n\n<surr")[0]);
            assertFalse(world.exists("x"));

            world.runInside("-p", "/note that $1 is free");
            assertTrue(
                    model.request(1).lastText().startsWith("Take a note.\n\nthat $1 is free"),
                    model.request(1)::lastText);
        }
    }

    @Test
    @DisplayName("A text that begins with a slash is never lost")
    void noCommand() throws IOException {
        try (var model = ScriptedServer.chat(says("1"), says("2"), says("3"));
                var world = World.with(model)) {
            ofUser(world, "commands/release.md", "Release.");

            Ended other = world.runInside("/frobnicate", "it");
            assertTrue(other.err().contains("there is no command /frobnicate"), other::err);
            assertTrue(model.request(0).lastText().startsWith("/frobnicate it"));
            Ended path = world.runInside("/etc/hosts", "is wrong");
            assertFalse(path.err().contains("no command"), path::err);
            world.runInside("/tmp", "is full");
            assertTrue(model.request(2).lastText().startsWith("/tmp is full"));

            Ended typo = world.runInside("/relaese");
            assertEquals(3, typo.exitCode(), typo::toString);
            assertTrue(typo.err().contains("did you mean \"release\"?"), typo::err);
        }
    }

    @Test
    @Tag("P15")
    @DisplayName("a command of an untrusted project is refused, not sent as text")
    void untrustedCommand() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model).file(".agent/commands/go.md", "Go on.")) {
            Ended refused = world.runInside("/go");
            assertEquals(3, refused.exitCode(), refused::toString);
            assertTrue(refused.err().contains("not trusted") || refused.err().contains("--trust"));
            assertEquals(0, world.runInside("--trust", "/go").exitCode());
            assertTrue(model.request(0).lastText().startsWith("Go on."));
        }
    }

    @Test
    @DisplayName("agent skills lists skills and commands, shows one, begins one")
    void theCommand() throws IOException {
        try (var world = World.withoutModel()) {
            ofUser(world, "commands/fix.md", "---\ndescription: Fixes.\n---\nFix $1.");
            assertEquals(0, world.inside("skills", "new", "release").exitCode());
            assertEquals(3, world.inside("skills", "new", "../x").exitCode());
            String list = world.inside("skills", "list").out();
            assertTrue(list.contains("release  [user]  Say in one line"), list);
            assertTrue(list.contains("/fix  [user]  Fixes.\n"), list);
            assertEquals("Fix $1.\n", world.inside("skills", "show", "/fix").out());
            assertTrue(world.inside("skills", "show", "release").out().contains("name: release"));
            assertEquals(3, world.inside("skills", "show", "none").exitCode());
            assertTrue(world.inside("skills", "list", "--json").out().contains("\"commands\""));
        }
    }
}
