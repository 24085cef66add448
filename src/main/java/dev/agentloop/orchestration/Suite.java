package dev.agentloop.orchestration;

import java.util.List;

/**
 * What is to be compared.
 *
 * @param tasks each with what decides about it
 * @param variants what they are tried with
 * @param runs how often each pair is tried
 */
public record Suite(String name, List<Task> tasks, List<Variant> variants, int runs) {
    public Suite {
        tasks = List.copyOf(tasks);
        variants = List.copyOf(variants);
    }

    /**
     * One task.
     *
     * @param checks command lines; all must end with 0 in the tree that the run has left
     */
    public record Task(String name, String prompt, List<String> checks) {
        public Task {
            checks = List.copyOf(checks);
        }
    }

    /**
     * A model, an agent, a setting.
     *
     * @param options words of {@code agent run}
     */
    public record Variant(String name, List<String> options) {
        public Variant {
            options = List.copyOf(options);
        }
    }

    /** How many runs that are. */
    public int size() {
        return tasks.size() * variants.size() * runs;
    }
}
