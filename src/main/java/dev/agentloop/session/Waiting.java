package dev.agentloop.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Waiting that outlives the process: its end is kept, and whoever takes the session up waits for
 * the rest.
 *
 * <p><b>Contract.</b> {@link #await} may end the process, to wait without one.
 */
public interface Waiting {
    /**
     * How a wait ended.
     *
     * @param now by the clock of whoever keeps the session
     * @param signal what came with the signal; empty when the time was over
     */
    record Answer(Instant now, Optional<String> signal) {}

    /**
     * Waits for a signal, or until a time is over.
     *
     * @param call id of the call that waits; made again, it waits for what is left
     * @param signal name; empty to wait for the time alone
     * @param most how long from the first time that the call is made
     */
    Answer await(String call, String signal, Duration most);
}
