package dev.agentloop.llm.decorator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.Heard;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Message;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.FakeTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RetryingLlmTest {
    private static final LlmResponse REPLY =
            new LlmResponse(
                    new Message.Assistant(List.of()),
                    FinishReason.END_TURN,
                    Usage.NONE,
                    Set.of(),
                    "");

    private final FakeTime time = FakeTime.auto();
    private final Heard heard = new Heard();
    private final Cancellation cancellation = new Cancellation();
    private double random;

    /** Fails as scripted, showing some text first if there is any, then replies. */
    private static final class Failing implements LlmAdapter {
        private final Deque<LlmException> failures;
        private final String shown;
        private int calls;

        Failing(String shown, List<LlmException> failures) {
            this.shown = shown;
            this.failures = new ArrayDeque<>(failures);
        }

        @Override
        public LlmResponse complete(LlmRequest request, LlmListener listener, Cancellation stop) {
            calls++;
            if (failures.isEmpty()) {
                return REPLY;
            }
            if (!shown.isEmpty()) {
                listener.text(shown);
            }
            throw failures.removeFirst();
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("p", "m", 0, 0);
        }
    }

    private static LlmException busy() {
        return new LlmException.Unavailable("busy", null, null);
    }

    private static LlmException busy(Duration retryAfter) {
        return new LlmException.Unavailable("busy", retryAfter, null);
    }

    private LlmResponse run(Failing llm) {
        return new RetryingLlm(llm, time, RetryingLlm.DEFAULT_RETRIES, () -> random)
                .complete(new LlmRequest(List.of(), List.of(), true, 0, true), heard, cancellation);
    }

    private static Failing failing(Supplier<LlmException> failure, int times) {
        return new Failing("", java.util.stream.Stream.generate(failure).limit(times).toList());
    }

    private long waited() {
        return time.sleeps().stream().mapToLong(Duration::toMillis).sum();
    }

    @Test
    @Tag("A22")
    @DisplayName("two failures, then a reply: three calls with growing waits")
    void retriesUntilItWorks() {
        random = 1;
        Failing llm = failing(RetryingLlmTest::busy, 2);

        assertEquals(REPLY, run(llm));
        assertEquals(3, llm.calls);
        assertEquals(
                List.of("1 500 provider_unavailable false", "2 1000 provider_unavailable false"),
                heard.retries);
    }

    @Test
    @Tag("A22")
    @DisplayName("waits are spread between 40 % and all of their limit")
    void waitsAreSpread() {
        for (double share : new double[] {0, 0.5, 1}) {
            random = share;
            run(failing(RetryingLlmTest::busy, 2));
        }

        assertEquals(
                List.of(200L, 400L, 350L, 700L, 500L, 1000L),
                time.sleeps().stream().map(Duration::toMillis).toList());
    }

    @Test
    @Tag("A24")
    @DisplayName("five attempts, then the last failure")
    void givesUp() {
        random = 1;
        Failing llm = failing(RetryingLlmTest::busy, 9);

        assertThrows(LlmException.Unavailable.class, () -> run(llm));
        assertEquals(5, llm.calls);
        assertEquals(7500, waited());
    }

    @Test
    @Tag("A18")
    @DisplayName("Retry-After: 0 four times still takes 3 s, however unlucky")
    void waitsHaveAFloor() {
        random = 0;
        run(failing(() -> busy(Duration.ZERO), 4));

        assertTrue(waited() >= 3000, waited() + " ms");
    }

    @Test
    @Tag("A17")
    @DisplayName("Retry-After is the least wait")
    void retryAfterIsAFloor() {
        run(failing(() -> busy(Duration.ofSeconds(2)), 1));

        assertEquals(List.of(Duration.ofSeconds(2)), time.sleeps());
    }

    @Test
    @Tag("A20")
    @DisplayName("Retry-After: 3600 fails at once and tells when to come back")
    void tooLongToWait() {
        LlmException.Unavailable failure =
                assertThrows(
                        LlmException.Unavailable.class,
                        () -> run(failing(() -> busy(Duration.ofHours(1)), 1)));

        assertEquals(
                "busy. The provider asks to come back in 1 h 0 min; that is too long to wait",
                failure.getMessage());
        assertEquals(Duration.ofHours(1), failure.retryAfter().orElseThrow());
        assertEquals(List.of(), time.sleeps());
    }

    @Test
    @Tag("A28")
    @DisplayName("text of a broken reply is withdrawn")
    void shownTextIsWithdrawn() {
        Failing llm = new Failing("half", List.of(new LlmException.BrokenReply("cut", null)));
        run(llm);

        assertEquals(List.of("1 200 broken_reply true"), heard.retries);
    }

    @Test
    @Tag("A47")
    @DisplayName("what looks like a wrong set-up gets one more attempt only")
    void onceMore() {
        Failing llm = failing(() -> LlmException.BrokenReply.onceMore("html", null), 9);

        assertThrows(LlmException.BrokenReply.class, () -> run(llm));
        assertEquals(2, llm.calls);
    }

    @Test
    void permanentFailuresAreNotRetried() {
        List<LlmException> permanent =
                List.of(
                        new LlmException.Unauthorized("x"),
                        new LlmException.BadRequest("x"),
                        new LlmException.ContextOverflow("x"),
                        new LlmException.Cancelled(new Cause.Abort()));
        for (LlmException failure : permanent) {
            Failing llm = failing(() -> failure, 9);
            assertEquals(failure, assertThrows(LlmException.class, () -> run(llm)));
            assertEquals(1, llm.calls);
        }
    }

    @Test
    @Tag("A25")
    @DisplayName("a wait ends when the run is cancelled")
    void cancelledWait() {
        time.alarm(Duration.ofMillis(100), () -> cancellation.cancel(new Cause.RunDeadline()));
        LlmException.Cancelled stop =
                assertThrows(
                        LlmException.Cancelled.class, () -> run(failing(RetryingLlmTest::busy, 9)));

        assertEquals(new Cause.RunDeadline(), stop.why());
    }
}
