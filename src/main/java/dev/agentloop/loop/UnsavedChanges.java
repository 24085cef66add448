package dev.agentloop.loop;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import java.util.List;

/**
 * The end of a run whose model says that it is done although changes were refused because the
 * session could not be saved: such a run has failed, and says what was refused.
 */
final class UnsavedChanges {
    private static final int MOST_NAMED = 5;
    private static final int MOST_CHARS = 100; // of one call; a command may be long

    private UnsavedChanges() {}

    /** The result as it is, unless changes were refused; the model's words stay in it. */
    static RunResult told(Run run, RunResult result, RunPorts ports) {
        List<String> refused = run.unsaved();
        if (refused.isEmpty() || result.stopReason() != StopReason.LLM_DONE) {
            return result;
        }
        StopReason reason = StopReason.SESSION_ERROR;
        String why = ports.journal().failure();
        String message =
                "Refused because the session could not be saved"
                        + (why.isEmpty() ? "" : " (" + why + ")")
                        + ": "
                        + list(refused)
                        + ". Make room for the session or mend its folder, then resume it.";
        ports.events().emit(new AgentEvent.Failed(reason.wireName(), message, true, true));
        return new RunResult(
                reason, result.text(), result.steps(), result.failedChecks(), result.evaluation());
    }

    private static String list(List<String> calls) {
        List<String> named =
                calls.stream()
                        .limit(MOST_NAMED)
                        .map(call -> call.lines().findFirst().orElse(""))
                        .map(line -> line.substring(0, Math.min(MOST_CHARS, line.length())))
                        .toList();
        int more = calls.size() - named.size();
        return String.join(", ", named) + (more > 0 ? " and " + more + " more" : "");
    }
}
