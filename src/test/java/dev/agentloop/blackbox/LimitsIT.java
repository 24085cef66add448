package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs under limits that the system sets. */
class LimitsIT {
    private static final List<String> SMALL_FILES =
            List.of("/bin/sh", "-c", "ulimit -f 256; exec \"$@\"", "sh"); // 128 or 256 KB

    @Test
    @Tag("B37")
    @DisplayName("a limit on the size of files is told like a full disk; the run goes on")
    void smallFiles() {
        Reply edit =
                calls(
                        "edit_file",
                        "file_path",
                        "a.txt",
                        "old_string",
                        "a\n",
                        "new_string",
                        "a".repeat(300) + "\n",
                        "replace_all",
                        true);
        Reply flood = calls("run_command", "command", "head -c 9999999 /dev/zero > big");
        Reply print = calls("run_command", "command", "seq 300000");
        String old = "a\n".repeat(2_000);
        try (var model = ScriptedServer.chat(edit, flood, print, says("It does not fit."));
                var world = World.with(model).file("a.txt", old)) {
            Ended ended =
                    world.launch()
                            .under(SMALL_FILES)
                            .run("--json", "--yolo", "--sandbox=off", "go");
            assertEquals("It does not fit.", ended.result("result"), ended::toString);
            List<String> results = model.lastRequest().toolResults();
            assertTrue(results.get(0).contains("a size limit or quota"), results.get(0));
            assertEquals(old, world.read("a.txt"));
            assertTrue(results.get(1).contains("SIGXFSZ, file size limit"), results.get(1));
            assertTrue(results.get(2).contains("bytes of stdout, until the run"), results.get(2));
        }
    }
}
