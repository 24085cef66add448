package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Background commands that outlive the program because the user wants them to. */
@Timeout(120)
class LeftRunningIT {
    private static final String FETCH =
            "python3 -c \"import urllib.request as u;"
                    + " print(u.urlopen('http://127.0.0.1:8392/a.txt').read().decode())\"";

    @Test
    @DisplayName(
            "a service that is to be kept goes on after the run, and the result says how to end it")
    void aKeptService() throws Exception {
        String server = "exec python3 -u -m http.server 8392 --bind 127.0.0.1";
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", server, "background", true),
                                calls("command_output", "id", "b1", "wait_for", "Serving"),
                                says("It runs."));
                var world = World.with(model).leavingProcesses().file("a.txt", "served")) {
            Ended ended = world.run("--json", "--yolo", "--sandbox=off", "--keep-background", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode left = ended.result().path("left_running").path(0);
            assertEquals(server, left.path("name").asText(), ended::toString);
            ProcessHandle service = ProcessHandle.of(left.path("pid").asLong()).orElseThrow();
            for (int i = 0; i < 3; i++) { // each prints a line: the pipes hold
                assertEquals("served\n", shell(FETCH));
            }
            assertEquals("", shell(left.path("stop").asText()));
            service.onExit().get(20, TimeUnit.SECONDS);
            String told = ended.result().path("warnings").toString();
            String log = told.replaceAll("(?s).*It prints to (\\S+?log).*", "$1");
            for (int i = 0; i < 100 && !Files.readString(Path.of(log)).contains("a.txt"); i++) {
                Thread.sleep(50);
            }
            assertTrue(Files.readString(Path.of(log)).contains("GET /a.txt"), told);
            Files.delete(Path.of(log));
        }
    }

    private static String shell(String command) throws Exception {
        Process process =
                new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return said;
    }
}
