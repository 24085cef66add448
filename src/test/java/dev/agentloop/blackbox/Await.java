package dev.agentloop.blackbox;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something to become true; never longer than it takes. */
public final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 5;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        if (!holdsWithin(LIMIT, condition)) {
            throw new AssertionError("waited " + LIMIT.toSeconds() + " s in vain for: " + what);
        }
    }

    /** Like the other, with what is known when it never came. */
    public static void until(String what, BooleanSupplier condition, Supplier<String> known) {
        if (!holdsWithin(LIMIT, condition)) {
            throw new AssertionError("waited in vain for: " + what + "\n" + known.get());
        }
    }

    public static void latch(CountDownLatch latch) {
        until("the other thread", () -> latch.getCount() == 0);
    }

    static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }
        return true;
    }
}
