package dev.agentloop.llm.decorator;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Tries a model again after failures that may pass. Waits grow and are random, so that many clients
 * do not return at the same moment; what the provider asks for is the least wait.
 */
public final class RetryingLlm implements LlmAdapter {
    public static final int DEFAULT_RETRIES = 4;

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration CAP = Duration.ofSeconds(30);
    private static final Duration MAX_ASKED = Duration.ofSeconds(60);

    /** Least share of a wait; makes four waits at least 3 s, also after "Retry-After: 0". */
    private static final double FLOOR = 0.4;

    private final LlmAdapter llm;
    private final Time time;
    private final int maxRetries;
    private final DoubleSupplier random;

    /**
     * @param random gives numbers from 0 to 1
     */
    public RetryingLlm(LlmAdapter llm, Time time, int maxRetries, DoubleSupplier random) {
        this.llm = llm;
        this.time = time;
        this.maxRetries = maxRetries;
        this.random = random;
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        ShownText watched = new ShownText(listener);
        for (int attempt = 1; ; attempt++) {
            try {
                return llm.complete(request, watched, cancellation);
            } catch (LlmException failure) {
                if (attempt > Math.min(maxRetries, failure.worthwhileRetries())) {
                    throw failure;
                }
                Duration delay = delay(attempt, failure);
                if (!listener.mayRetry(failure)) {
                    throw failure;
                }
                listener.retry(attempt, delay, failure, watched.withdraw());
                pause(delay, cancellation);
            }
        }
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }

    @Override
    public void close() {
        llm.close();
    }

    private Duration delay(int attempt, LlmException failure) {
        Duration full = FIRST.multipliedBy(1L << Math.min(attempt - 1, 10));
        long most = Math.min(full.toMillis(), CAP.toMillis());
        double share = FLOOR + (1 - FLOOR) * Math.clamp(random.getAsDouble(), 0.0, 1.0);
        Duration own = Duration.ofMillis(Math.round(most * share));
        Duration asked = asked(failure);
        return asked.compareTo(own) > 0 ? asked : own;
    }

    private static Duration asked(LlmException failure) {
        if (!(failure instanceof LlmException.Unavailable unavailable)) {
            return Duration.ZERO;
        }
        Duration asked = unavailable.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(MAX_ASKED) > 0) {
            throw new LlmException.Unavailable(
                            "%s. The provider asks to come back in %s; that is too long to wait"
                                    .formatted(failure.getMessage(), inWords(asked)),
                            asked,
                            failure)
                    .after(failure.partial());
        }
        return asked;
    }

    private static String inWords(Duration time) {
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toSeconds() + " s";
    }

    private void pause(Duration delay, Cancellation cancellation) {
        if (time.sleep(delay, cancellation)) {
            Cause why = cancellation.cause().orElse(new Cause.Interrupt("INT"));
            throw new LlmException.Cancelled(why);
        }
    }
}
