package dev.agentloop.hook;

import dev.agentloop.control.Cancellation;
import java.util.List;

/**
 * What runs after a tool changed a file.
 *
 * <p><b>Contract.</b> Never throws and never undoes the edit. Blocks until every matching hook has
 * ended, was killed at its timeout, or was stopped by the cancellation.
 */
@FunctionalInterface
public interface PostEditHooks {
    /** No hooks. */
    PostEditHooks NONE = (path, cancellation) -> List.of();

    /**
     * Runs the hooks whose patterns match, in their order.
     *
     * @param path the changed file, relative to the workspace root
     */
    List<HookReport> afterEdit(String path, Cancellation cancellation);
}
