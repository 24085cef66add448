package dev.agentloop.mcp;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way to a server of the web, with all the requests, one after another, that are
 * made to get its answer. They end together.
 */
final class HttpTask {
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Call call;

    /** The request that is made now; it fails at once if the task has ended. */
    Call making(Call next) {
        call = next;
        if (isOver()) {
            next.cancel();
        }
        return next;
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
