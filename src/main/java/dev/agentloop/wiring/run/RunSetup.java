package dev.agentloop.wiring.run;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.message.Image;
import dev.agentloop.session.SessionStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a run is made of, all decided.
 *
 * @param config effective for the chosen agent
 * @param fallbacks models that take over, in this order, when one stays unavailable
 * @param workspace root folder, existing
 * @param prompt the task; empty only when a resumed session has its own work left
 * @param agent name of the profile that works (in mixed mode the one that builds)
 * @param reopened the session that goes on; empty for a new one
 * @param answer what the final answer must be, if the user said
 * @param images shown with the prompt
 * @param demo whether the workspace is the demo's own sample project
 */
public record RunSetup(
        AgentConfig config,
        ModelChoice.Chosen model,
        List<ModelChoice.Chosen> fallbacks,
        Path workspace,
        String prompt,
        String agent,
        boolean mixed,
        boolean dryRun,
        boolean stream,
        String appendSystemPrompt,
        GuidancePlaces guidance,
        Optional<StructuredAnswer> answer,
        List<Image> images,
        Optional<SessionStore.Reopened> reopened,
        boolean demo) {

    /** A model that takes over must be able to read what is there then; 0 when none is known. */
    public int smallestWindow() {
        int smallest = model.model().info().contextWindow();
        for (ModelChoice.Chosen fallback : fallbacks) {
            int window = fallback.model().info().contextWindow();
            smallest = window > 0 && (window < smallest || smallest == 0) ? window : smallest;
        }
        return smallest;
    }
}
