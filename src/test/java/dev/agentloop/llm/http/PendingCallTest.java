package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import dev.agentloop.control.Cause;
import dev.agentloop.llm.LlmException;
import java.util.concurrent.Future;
import okhttp3.Call;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;

/** Who ends a call ends it wherever it is: in the lookup of a name, on the wire, or too late. */
class PendingCallTest {
    private final LlmException interrupted = new LlmException.Cancelled(new Cause.Interrupt("INT"));
    private final PendingCall pending = new PendingCall();
    private final Call call = mock(Call.class);

    @Test
    void aStopCancelsTheCallThatRuns() {
        pending.begin(call);

        pending.stop(interrupted);

        verify(call).cancel();
        assertSame(interrupted, pending.stopped());
    }

    @Test
    void theFirstReasonHoldsAndTheCallIsCancelledOnce() {
        pending.begin(call);

        pending.stop(interrupted);
        pending.stop(new LlmException.Cancelled(new Cause.StepDeadline()));

        verify(call).cancel();
        assertSame(interrupted, pending.stopped());
    }

    @Test
    void aCallThatWasStoppedBeforeItBeganIsNotSent() {
        pending.stop(interrupted);

        LlmException thrown = assertThrows(LlmException.class, () -> pending.begin(call));

        assertSame(interrupted, thrown);
        verify(call, never()).cancel(); // there is nothing to cancel
    }

    @Test
    void theLookupOfANameIsGivenUpWhetherItBeganBeforeTheStopOrAfterIt() {
        Future<?> before = mock(Future.class);
        Future<?> after = mock(Future.class);

        pending.waitsFor(before);
        pending.stop(interrupted);
        pending.waitsFor(after);

        verify(before).cancel(false);
        verify(after).cancel(false);
    }

    @Test
    void anAnswerThatComesAfterTheStopIsClosedBecauseNobodyReadsIt() {
        ResponseBody body = mock(ResponseBody.class);
        pending.begin(call);
        pending.stop(interrupted);

        LlmException thrown =
                assertThrows(LlmException.class, () -> pending.answered(response(body)));

        assertSame(interrupted, thrown);
        verify(body).close();
    }

    @Test
    void anAnswerInTimeStaysOpen() {
        ResponseBody body = mock(ResponseBody.class);
        pending.begin(call);

        pending.answered(response(body));

        verify(body, never()).close();
        assertEquals(null, pending.stopped());
    }

    private static Response response(ResponseBody body) {
        return new Response.Builder()
                .request(new Request.Builder().url("http://localhost/").build())
                .protocol(Protocol.HTTP_1_1)
                .code(200)
                .message("OK")
                .body(body)
                .build();
    }
}
