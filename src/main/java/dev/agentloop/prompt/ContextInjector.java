package dev.agentloop.prompt;

import java.util.List;

/**
 * Adds parts to what the model is told before its task.
 *
 * <p><b>Contract.</b> Asked on one thread, before the first request of a run; may block for two
 * seconds at most. What cannot be found out is left away, without an exception.
 */
@FunctionalInterface
public interface ContextInjector {
    /** In their order; empty if there is nothing to say. */
    List<PromptPart> parts();
}
