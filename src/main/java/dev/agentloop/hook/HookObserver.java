package dev.agentloop.hook;

/**
 * Watches a run, in the process itself.
 *
 * <p><b>Contract.</b> Observers of one moment run side by side, on threads of their own. What they
 * throw becomes a warning and changes nothing; one that does not come back is not waited for longer
 * than ten seconds.
 */
@FunctionalInterface
public interface HookObserver {
    void on(HookEvent event) throws Exception;
}
