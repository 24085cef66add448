package dev.agentloop.hook;

/**
 * Takes part in a run's decisions, in the process itself.
 *
 * <p><b>Contract.</b> Hooks of one moment are asked one after another in the order in which they
 * were registered; the first that denies, skips or terminates is the last. Calls of one step may be
 * asked about from several threads. May block, which holds up the run. A hook that throws has
 * failed: before a tool call that is a denial, before a request it ends the run, elsewhere the run
 * goes on with a warning.
 */
@FunctionalInterface
public interface Hook {
    /** Continue, or what is to happen instead; see {@link HookPoint#understands}. */
    HookOutcome on(HookEvent event) throws Exception;
}
