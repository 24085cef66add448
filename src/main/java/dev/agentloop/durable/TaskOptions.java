package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableException;
import java.util.List;
import java.util.Set;

/**
 * Options of a run that a task may carry: what to do and how far, never what is allowed. An agent
 * may allow things, and a schema would be a file of the worker's machine: neither is among them.
 */
public final class TaskOptions {
    /** Their names; each is followed by {@code =} and its value. */
    public static final Set<String> NAMES =
            Set.of(
                    "--model",
                    "--effort",
                    "--max-steps",
                    "--max-tokens-total",
                    "--max-tool-calls",
                    "--timeout",
                    "--step-timeout",
                    "--deny");

    private TaskOptions() {}

    /** Who can reach the engine could otherwise give himself the worker's rights. */
    static void check(List<String> options) throws DurableException {
        for (String option : options) {
            int value = option.indexOf('=');
            if (value < 0 || !NAMES.contains(option.substring(0, value))) {
                throw new DurableException("A task may not bring the option " + option + ".");
            }
        }
    }
}
