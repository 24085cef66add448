package dev.agentloop.mcp.channel;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way to a server of the web, with all the requests, one after another, that are
 * made to get its answer. They end together.
 */
final class HttpTask {
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Call call;
    private volatile boolean unheard;

    /** The request that is made now; it fails at once if the task has ended. */
    Call making(Call next) {
        call = next;
        if (isOver()) {
            next.cancel();
        }
        return next;
    }

    /** Makes a request; throws if the connection breaks before the server has said a word. */
    Response execute(Call next) throws IOException {
        unheard = true;
        Response response = making(next).execute();
        unheard = false;
        return response;
    }

    /** Whether the last request has broken off before a status line came. */
    boolean isUnheard() {
        return unheard;
    }

    /** Stops what is going on and whatever would follow. */
    void end() {
        over.countDown();
        Call now = call;
        if (now != null) {
            now.cancel();
        }
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits; returns early, true, when the task is ended. */
    boolean isOverAfter(long millis) {
        try {
            return over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
