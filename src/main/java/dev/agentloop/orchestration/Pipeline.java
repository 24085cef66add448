package dev.agentloop.orchestration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Steps, each a run of its own.
 *
 * @param variables what {@code {{name}}} means in prompts and commands
 * @param steps so that each stands behind those that it needs
 */
public record Pipeline(String name, Map<String, String> variables, List<Step> steps) {
    public Pipeline {
        variables = Map.copyOf(variables);
        steps = List.copyOf(steps);
    }

    /**
     * One step.
     *
     * @param prompt with {@code {{variable}}} and {@code {{steps.NAME.output}}}
     * @param options words of {@code agent run}
     * @param needs names of steps that must have succeeded
     * @param when a command that decides whether the step is run; empty for always
     * @param checks command lines; all must end with 0
     * @param timeout of its run; null for none
     * @param goesOn whether the pipeline goes on if it fails
     */
    public record Step(
            String name,
            String prompt,
            List<String> options,
            List<String> needs,
            String when,
            List<String> checks,
            @Nullable Duration timeout,
            boolean goesOn) {
        public Step {
            options = List.copyOf(options);
            needs = List.copyOf(needs);
            checks = List.copyOf(checks);
        }
    }
}
