package dev.agentloop.process;

import dev.agentloop.sandbox.Confined;
import dev.agentloop.sandbox.Order;
import dev.agentloop.sandbox.PreparedSandbox;
import java.io.IOException;
import java.util.Optional;

/**
 * A sandbox that was started before its command is known, while the model thinks: what takes
 * longest in it has then been done when the command comes.
 *
 * @param marker in its environment, and so in that of the command
 */
record WaitingSandbox(PreparedSandbox prepared, Spawner.Started started, String marker) {
    /** Empty if the command needs another one. */
    Optional<Confined> take(Order order) {
        try {
            return started.process().isAlive()
                    ? prepared.take(order, started.process().pid())
                    : Optional.empty();
        } catch (IOException | RuntimeException e) { // else it would be forgotten and live on
            return Optional.empty(); // the new one finds out what is wrong, and can say it
        }
    }

    /**
     * Ends it; nothing ran in it, and nothing begins to: its input is closed only then.
     *
     * @param tree of {@link #started}
     */
    void discard(ProcessTree tree) {
        try {
            tree.killWaiting();
            started.process().getOutputStream().close();
        } catch (IOException e) {
            return; // its end has closed it
        } finally {
            prepared.discard();
        }
    }
}
