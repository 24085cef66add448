package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files that hooks, others and the model change in turn. */
class HookedFilesScenarioTest {
    @Test
    @Tag("B17")
    @DisplayName("what others wrote stays unknown to the model though hooks ran after its edit")
    void othersWorkBesideHooks() {
        for (String point : List.of("post_tool", "post_edit")) {
            try (var model =
                            ScriptedServer.chat(
                                    calls("read_file", "file_path", "b"),
                                    calls("run_command", "command", "echo theirs >> b"),
                                    calls(
                                            "edit_file",
                                            "file_path",
                                            "b",
                                            "old_string",
                                            "one",
                                            "new_string",
                                            "1"),
                                    calls("write_file", "file_path", "b", "content", "mine\n"),
                                    says("ok"));
                    var world =
                            World.with(model)
                                    .file("b", "one\ntwo\n")
                                    .config(
                                            "hooks: {%s: [{name: guard, command: 'true'}]}\n"
                                                    .formatted(point))) {
                Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");
                assertEquals("1\ntwo\ntheirs\n", world.read("b"), ended::toString);
                String edited = model.requests().get(3).lastToolResult();
                assertFalse(edited.contains("hooks changed"), edited);
                assertTrue(edited.contains("those were kept"), edited);
            }
        }
    }
}
