package dev.agentloop.llm;

import dev.agentloop.control.Cause;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model call that gave no reply. The kind decides whether another attempt makes sense. */
public abstract sealed class LlmException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private transient PartialReply partial = PartialReply.NONE;

    LlmException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Whether the same request may succeed a little later. */
    public boolean isRetryable() {
        return this instanceof Unavailable || this instanceof BrokenReply;
    }

    /** How many further attempts make sense at most: what seldom passes by itself gets one. */
    public int worthwhileRetries() {
        return isRetryable() ? Integer.MAX_VALUE : 0;
    }

    /** What had come of the reply before the call ended. */
    public PartialReply partial() {
        return partial;
    }

    /** Adds what had come of the reply, beside what is known of it. Returns this. */
    public LlmException after(PartialReply came) {
        partial = partial.or(came);
        return this;
    }

    /** Machine-readable kind, as it stands in {@code errors[].code}. */
    public String code() {
        return switch (this) {
            case Unauthorized _ -> "auth_error";
            case BadRequest _ -> "bad_request";
            case ContextOverflow _ -> "context_overflow";
            case Unavailable _ -> "provider_unavailable";
            case BrokenReply _ -> "broken_reply";
            case Cancelled _ -> "cancelled";
            case Unrecorded _ -> "replay_mismatch";
        };
    }

    /** No key, a wrong key, or no permission: HTTP 401, 403, 407. */
    public static final class Unauthorized extends LlmException {
        private static final long serialVersionUID = 1L;

        public Unauthorized(String message) {
            super(message, null);
        }
    }

    /** The provider will not take this request, now or later: other 4xx, spent quota, redirects. */
    public static final class BadRequest extends LlmException {
        private static final long serialVersionUID = 1L;

        public BadRequest(String message) {
            super(message, null);
        }
    }

    /** The request is longer than the model's context window. */
    public static final class ContextOverflow extends LlmException {
        private static final long serialVersionUID = 1L;

        public ContextOverflow(String message) {
            super(message, null);
        }
    }

    /** Overload, rate limit, network trouble: worth another attempt. */
    public static final class Unavailable extends LlmException {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable Duration retryAfter;
        private final boolean once;

        public Unavailable(
                String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
            this(message, retryAfter, cause, false);
        }

        private Unavailable(
                String message,
                @Nullable Duration retryAfter,
                @Nullable Throwable cause,
                boolean once) {
            super(message, cause);
            this.retryAfter = retryAfter;
            this.once = once;
        }

        /** Trouble that looks like a wrong set-up: one more attempt, no more. */
        public static Unavailable onceMore(String message, @Nullable Throwable cause) {
            return new Unavailable(message, null, cause, true);
        }

        @Override
        public int worthwhileRetries() {
            return once ? 1 : super.worthwhileRetries();
        }

        /** How long the provider asked us to wait. */
        public Optional<Duration> retryAfter() {
            return Optional.ofNullable(retryAfter);
        }
    }

    /** The answer began but is cut or makes no sense: worth another attempt. */
    public static final class BrokenReply extends LlmException {
        private static final long serialVersionUID = 1L;
        private final boolean once;

        public BrokenReply(String message, @Nullable Throwable cause) {
            this(message, cause, false);
        }

        private BrokenReply(String message, @Nullable Throwable cause, boolean once) {
            super(message, cause);
            this.once = once;
        }

        /** An answer that will hardly differ next time: one more attempt, no more. */
        public static BrokenReply onceMore(String message, @Nullable Throwable cause) {
            return new BrokenReply(message, cause, true);
        }

        @Override
        public int worthwhileRetries() {
            return once ? 1 : super.worthwhileRetries();
        }
    }

    /** A recording was asked for something that it does not hold. */
    public static final class Unrecorded extends LlmException {
        private static final long serialVersionUID = 1L;

        public Unrecorded(String message) {
            super(message, null);
        }
    }

    /** We stopped the call ourselves. */
    public static final class Cancelled extends LlmException {
        private static final long serialVersionUID = 1L;
        private final transient Cause why;

        public Cancelled(Cause why) {
            super("the model call was stopped", null);
            this.why = why;
        }

        public Cause why() {
            return why;
        }
    }
}
