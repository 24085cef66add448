package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryIT {
    @Test
    @Tag("C43")
    @Tag("scenario-80")
    @DisplayName("a run that a signal cuts keeps its notes for the next one")
    void interrupted() {
        try (var model =
                        ScriptedServer.chat(
                                calls("remember", "text", "Kept all the same."), Faults.silence());
                var world = World.with(model).ordinary().config("memory: {enabled: true}")) {
            AgentProcess process = world.launch().startRun("--json", "--trust", "go");
            Await.until("the second request", () -> model.requests().size() == 2);
            Ended ended = process.signal("INT").ended();
            assertEquals(130, ended.exitCode(), ended::toString);

            model.then(says("Done."));
            world.runInside("--trust", "go");
            String system = model.lastRequest().system();
            assertTrue(system.contains("\n- Kept all the same.\n"), system);
        }
    }
}
