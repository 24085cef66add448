package dev.agentloop.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Message;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class BuildPhaseTest {
    @Test
    @Tag("S1-21")
    @DisplayName("the building agent gets its own instructions and all that went before")
    void theNextPhaseKeepsTheHistory() {
        Run run =
                new Run(
                        List.of(new Message.System("plan"), new Message.User("task")),
                        new CostTracker(null, null, -1),
                        new Cancellation());

        run.startNextPhase(new Message.System("build"), "carry it out");

        assertEquals(
                List.of(
                        new Message.System("build"),
                        new Message.User("task"),
                        new Message.User("carry it out")),
                run.history());
    }

    @Test
    void theHistoryCannotBeChangedFromOutside() {
        Run run = new Run(List.of(), new CostTracker(null, null, -1), new Cancellation());

        assertThrows(
                UnsupportedOperationException.class,
                () -> run.history().add(new Message.User("x")));
    }
}
