package dev.agentloop.llm.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;

/**
 * Looks names up on a worker: the system's lookup can neither be cancelled nor given a deadline,
 * but the call that waits for it can leave.
 */
final class StoppableDns implements Dns {
    private static final ThreadLocal<@Nullable PendingCall> ASKING = new ThreadLocal<>();

    private final Dns names;
    private final Executor workers;

    StoppableDns(Dns names, Executor workers) {
        this.names = names;
        this.workers = workers;
    }

    /** Tells on whose behalf this thread asks from now on. */
    void askFor(@Nullable PendingCall call) {
        ASKING.set(call);
    }

    @Override
    public List<InetAddress> lookup(String host) throws UnknownHostException {
        CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
        PendingCall call = ASKING.get();
        if (call != null) {
            call.waitsFor(found);
        }
        workers.execute(() -> lookup(host, found));
        try {
            return found.join();
        } catch (CancellationException e) {
            throw new UnknownHostException(host); // the call knows why it was stopped
        } catch (CompletionException e) {
            if (e.getCause() instanceof UnknownHostException unknown) {
                throw unknown;
            }
            throw e;
        }
    }

    private void lookup(String host, CompletableFuture<List<InetAddress>> found) {
        try {
            found.complete(names.lookup(host));
        } catch (UnknownHostException | RuntimeException e) {
            found.completeExceptionally(e);
        }
    }
}
