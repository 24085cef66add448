package dev.agentloop.llm.http;

import dev.agentloop.llm.LlmException;
import java.io.IOException;
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

    /** Sends the request and waits for the headers. */
    Response execute(Call toRun) throws IOException {
        boolean interrupted = Thread.interrupted(); // calls are stopped by the cancellation only
        try {
            use(toRun);
            Response response = toRun.execute();
            try {
                throwIfStopped();
            } catch (LlmException e) {
                response.close(); // nobody waits any more
                throw e;
            }
            return response;
        } catch (IOException e) {
            throwIfStopped();
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
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

    private synchronized void use(Call toRun) {
        throwIfStopped();
        call = toRun;
    }

    private synchronized void throwIfStopped() {
        if (stopped != null) {
            throw stopped;
        }
    }
}
