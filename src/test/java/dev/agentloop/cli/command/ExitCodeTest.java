package dev.agentloop.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ExitCodeTest {
    @Test
    @Tag("S0-59")
    @DisplayName("the code of every stop reason")
    void everyStopReasonHasItsCode() {
        Map<StopReason, Integer> codes = new EnumMap<>(StopReason.class);
        for (StopReason reason : StopReason.values()) {
            codes.put(reason, ExitCode.of(reason, reason.status(), 2));
        }

        assertEquals(
                Map.ofEntries(
                        Map.entry(StopReason.LLM_DONE, 0),
                        Map.entry(StopReason.MAX_STEPS, 2),
                        Map.entry(StopReason.BUDGET_EXCEEDED, 2),
                        Map.entry(StopReason.CONTEXT_FULL, 2),
                        Map.entry(StopReason.TIMEOUT, 5),
                        Map.entry(StopReason.USER_INTERRUPT, 130),
                        Map.entry(StopReason.LLM_ERROR, 1),
                        Map.entry(StopReason.AUTH_ERROR, 4),
                        Map.entry(StopReason.CONFIG_ERROR, 3),
                        Map.entry(StopReason.SESSION_ERROR, 1),
                        Map.entry(StopReason.OUTPUT_LIMIT, 2),
                        Map.entry(StopReason.REFUSED, 2),
                        Map.entry(StopReason.EMPTY_RESPONSE, 2),
                        Map.entry(StopReason.SCHEMA_MISMATCH, 2),
                        Map.entry(StopReason.HOOK_TERMINATED, 2),
                        Map.entry(StopReason.MAX_TOOL_CALLS, 2),
                        Map.entry(StopReason.LOOP_DETECTED, 2),
                        Map.entry(StopReason.OUTPUT_LOST, 1),
                        Map.entry(StopReason.INTERNAL_ERROR, 1)),
                codes);
    }

    @Test
    @Tag("C7")
    @DisplayName("--exit-code-on-partial changes partial runs only")
    void onPartialChangesPartialRunsOnly() {
        assertEquals(0, ExitCode.of(StopReason.MAX_STEPS, Status.PARTIAL, 0));
        assertEquals(5, ExitCode.of(StopReason.TIMEOUT, Status.PARTIAL, 0));
        assertEquals(130, ExitCode.of(StopReason.USER_INTERRUPT, Status.PARTIAL, 0));
        assertEquals(1, ExitCode.of(StopReason.LLM_ERROR, Status.FAILED, 0));
    }

    @Test
    void strictDenialsMakeADoneRunPartial() {
        assertEquals(2, ExitCode.of(StopReason.LLM_DONE, Status.PARTIAL, 2));
    }
}
