package dev.agentloop.process;

import dev.agentloop.sandbox.Confined;
import dev.agentloop.sandbox.Order;
import dev.agentloop.sandbox.PreparedSandbox;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A sandbox that was started before its command is known, while the model thinks: what takes
 * longest in it has then been done when the command comes.
 *
 * @param marker in its environment, and so in that of the command
 */
record WaitingSandbox(PreparedSandbox prepared, Spawner.Started started, String marker) {
    private static final long GONE_MILLIS = 200; // it needs a few

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
     * Ends it; nothing ran in it. Without an order it ends by itself, and only then is it sure that
     * it puts nothing on the disk any more. By force all of it is ended: a child whose parent is
     * killed before it has asked to die with it would wait for ever.
     *
     * @param tree of {@link #started}
     */
    void discard(ProcessTree tree) {
        try {
            Process process = started.process();
            process.getOutputStream().close();
            if (!process.waitFor(GONE_MILLIS, TimeUnit.MILLISECONDS)) {
                tree.killNow(tree.members());
            }
        } catch (IOException e) {
            tree.killNow(tree.members());
        } catch (InterruptedException e) {
            tree.killNow(tree.members());
            Thread.currentThread().interrupt();
        } finally {
            prepared.discard();
        }
    }
}
