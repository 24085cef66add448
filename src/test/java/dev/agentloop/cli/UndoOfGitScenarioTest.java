package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What git commands do to the work tree, taken back. */
class UndoOfGitScenarioTest {
    @ParameterizedTest
    @Tag("D67")
    @DisplayName("files that git removes or overwrites are put back, also those as committed")
    @ValueSource(
            strings = {
                "git rm -rq src",
                "git rm -rq -- ':(top)src'",
                "git -C src rm -q b",
                "cd src && git rm -q b",
                "git checkout -q HEAD~1 -- ':(top)'",
                "git checkout -q HEAD~1 -- src",
                "git checkout -q -f HEAD~1",
                "git restore -s HEAD~1 -SW .",
                "git restore --source=HEAD~1 src/b",
                "git reset -q --hard HEAD~1",
                "git switch -q --detach HEAD~1",
                "git read-tree --reset -u HEAD~1",
                "git mv -f src/b a"
            })
    void gitCommands(String command) throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls(call("run_command", "command", command + " && echo over")),
                                says("Done."));
                var world = World.with(model).file("src/b", "old\n").file("a", "a\n")) {
            String commit = "git add -A && git -c user.name=x -c user.email=x commit -qm x";
            shell(
                    world,
                    "git init -q && printf '*\\n!src\\n!a\\n!src/b\\n' > .git/info/exclude && "
                            + commit);
            world.file("src/b", "new\n");
            shell(world, commit);
            world.runInside("--yolo", "--sandbox=off", "--trust", "--allow-destructive", "work");
            assertTrue(model.lastRequest().raw().contains("over"));
            assertFalse(world.exists("src/b") && world.read("src/b").equals("new\n"));

            Ended undone = world.inside("undo", "--yes");

            assertEquals(0, undone.exitCode(), undone::toString);
            assertEquals("new\n", world.read("src/b"));
            assertEquals("a\n", world.read("a"));
        }
    }

    private static void shell(World world, String line) throws Exception {
        Process shell =
                new ProcessBuilder("sh", "-c", line).directory(world.workspace().toFile()).start();
        assertEquals(0, shell.waitFor());
    }
}
