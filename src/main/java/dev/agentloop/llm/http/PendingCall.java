package dev.agentloop.llm.http;

import dev.agentloop.llm.LlmException;
import java.io.IOException;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP call up to its headers: runs on a worker, is awaited by the caller, and may be stopped
 * by anybody. The caller is released at once even while the worker hangs in a name lookup.
 */
final class PendingCall implements Runnable {
    private @Nullable Call call;
    private @Nullable Response response;
    private @Nullable Exception failure;
    private @Nullable LlmException stopped;

    synchronized void use(Call toRun) {
        call = toRun;
    }

    /** Runs the call on the thread of a worker. */
    @Override
    public void run() {
        Call running = toRun();
        if (running == null) {
            return;
        }
        try {
            deliver(running.execute());
        } catch (IOException | RuntimeException e) {
            fail(e); // a bug travels to the caller, too: it must not wait for ever
        }
    }

    /** Ends the call for the first reason given. */
    void stop(LlmException why) {
        synchronized (this) {
            if (stopped != null) {
                return;
            }
            stopped = why;
            notifyAll();
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

    /** Waits for the headers. */
    Response await() throws IOException {
        boolean interrupted = false;
        try {
            synchronized (this) {
                while (true) {
                    if (stopped != null) {
                        throw stopped;
                    }
                    if (response != null) {
                        return response;
                    }
                    rethrowFailure();
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true; // calls are stopped by the cancellation only
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void rethrowFailure() throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
    }

    private synchronized @Nullable Call toRun() {
        return stopped == null ? call : null;
    }

    private void deliver(Response answer) {
        synchronized (this) {
            if (stopped == null) {
                response = answer;
                notifyAll();
                return;
            }
        }
        answer.close(); // nobody waits any more
    }

    private synchronized void fail(Exception e) {
        failure = e;
        notifyAll();
    }
}
