package dev.agentloop.durable.engine;

import java.time.Duration;
import java.util.Map;

/**
 * Where tasks are kept: found by {@link java.util.ServiceLoader} in an optional jar.
 *
 * <p><b>Contract.</b> {@link #open} may block for some seconds until the engine answers.
 */
public interface DurableEngine {
    /** What {@code --engine} says, e.g. restate. */
    String name();

    /** Connects to the engine. */
    DurableObjects open(Settings settings) throws DurableException;

    /**
     * How to reach the engine.
     *
     * @param address what {@code --address} says; empty for the engine's default
     * @param environment of the process
     * @param patience how long an engine that does not answer is waited for
     */
    record Settings(String address, Map<String, String> environment, Duration patience) {
        public Settings {
            environment = Map.copyOf(environment);
        }

        /** An address, a variable of the environment, or what is used without both. */
        public String addressOr(String variable, String otherwise) {
            String fallback = environment.getOrDefault(variable, "");
            return !address.isEmpty() ? address : fallback.isEmpty() ? otherwise : fallback;
        }
    }
}
