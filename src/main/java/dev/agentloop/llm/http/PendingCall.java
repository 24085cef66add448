package dev.agentloop.llm.http;

import dev.agentloop.llm.LlmException;
import java.util.concurrent.Future;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP call that anybody may stop. Runs on the caller's thread, because handing it to another
 * and back costs 0.2 ms a step; only a connection that has to be opened is raced for by threads of
 * the client, and the one part that cannot be cancelled, the name lookup, waits as a future.
 */
final class PendingCall {
    private @Nullable Call call;
    private @Nullable Future<?> lookup;
    private @Nullable LlmException stopped;

    /**
     * The caller executes the call next.
     *
     * @throws LlmException if it was stopped before it began
     */
    synchronized void begin(Call toRun) {
        throwIfStopped();
        call = toRun;
    }

    /**
     * The headers are there.
     *
     * @throws LlmException if the call was stopped meanwhile; then the response is closed
     */
    void answered(Response response) {
        try {
            throwIfStopped();
        } catch (LlmException e) {
            response.close();
            throw e;
        }
    }

    /** Ends the call for the first reason given. */
    void stop(LlmException why) {
        synchronized (this) {
            if (stopped != null) {
                return;
            }
            stopped = why;
            if (lookup != null) {
                lookup.cancel(false);
            }
        }
        cancel();
    }

    /** Gives up the rest of an answer. */
    void cancel() {
        Call running;
        synchronized (this) {
            running = call;
        }
        if (running != null) {
            running.cancel();
        }
    }

    /** Why the call was stopped, if it was. */
    synchronized @Nullable LlmException stopped() {
        return stopped;
    }

    /** What the call waits for from now on; cancelled when the call is stopped. */
    synchronized void waitsFor(Future<?> newLookup) {
        lookup = newLookup;
        if (stopped != null) {
            newLookup.cancel(false);
        }
    }

    private synchronized void throwIfStopped() {
        if (stopped != null) {
            throw stopped;
        }
    }
}
