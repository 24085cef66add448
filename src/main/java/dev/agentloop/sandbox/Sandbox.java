package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where commands run.
 *
 * <p><b>Contract.</b> Whatever {@link #confine} returns is confined, or does not start: there is no
 * way from a sandbox that fails to a command without one. Safe from several threads.
 */
public sealed interface Sandbox permits BwrapSandbox, LandlockSandbox, NoSandbox {
    /** Commands run with the rights of this program. */
    Sandbox NONE = new NoSandbox();

    Tier tier();

    /** Whether commands have no network unless their order says otherwise. */
    boolean isOffline();

    /** Whether what one command serves on the loopback, the next one can fetch. */
    boolean sharesLoopback();

    /** Whether a command sees those that run in the background, and can end them. */
    boolean sharesProcesses();

    /**
     * What to start instead of the command.
     *
     * @param folder of the run: private, outside the workspace, removed by its owner at the end
     */
    Confined confine(Order order, Path folder) throws IOException;

    /**
     * What can be started before a command is known, so that the command need not wait for it;
     * empty where that gains nothing.
     *
     * @param folder as for {@link #confine}
     */
    Optional<PreparedSandbox> prepare(Path folder) throws IOException;

    /** After the last command of the run: ends what was started for all of them. */
    void close();
}
