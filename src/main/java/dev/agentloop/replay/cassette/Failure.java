package dev.agentloop.replay.cassette;

import dev.agentloop.control.Cause;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.PartialReply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A model call without a reply, as it is kept.
 *
 * @param code as of {@link LlmException#code}
 * @param retryAfter what the provider asked for; null if nothing
 * @param partial what had come of the reply
 * @param why of a call that we stopped ourselves; null for the others
 */
public record Failure(
        String code,
        String message,
        @Nullable Duration retryAfter,
        PartialReply partial,
        @Nullable Cause why) {

    public static Failure of(LlmException failure) {
        return new Failure(
                failure.code(),
                String.valueOf(failure.getMessage()),
                failure instanceof LlmException.Unavailable busy
                        ? busy.retryAfter().orElse(null)
                        : null,
                failure.partial(),
                failure instanceof LlmException.Cancelled cut ? cut.why() : null);
    }

    public LlmException asException() {
        LlmException failure =
                switch (code) {
                    case "auth_error" -> new LlmException.Unauthorized(message);
                    case "context_overflow" -> new LlmException.ContextOverflow(message);
                    case "provider_unavailable" ->
                            new LlmException.Unavailable(message, retryAfter, null);
                    case "broken_reply" -> new LlmException.BrokenReply(message, null);
                    case "cancelled" ->
                            new LlmException.Cancelled(why == null ? new Cause.Abort() : why);
                    default -> new LlmException.BadRequest(message);
                };
        return failure.after(partial);
    }
}
