package dev.agentloop.session;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.storage.Roots;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a session must not forget. {@link #type} is its name in the file; records may grow
 * fields, but neither names nor meanings change.
 */
public sealed interface JournalRecord {
    /** Name of the record in the file. A switch over the records would cost 8 ms at first use. */
    String type();

    /**
     * The session begins, or goes on with another system prompt or model.
     *
     * @param workspace real path of the workspace root
     * @param systemPrompt whole text, so that a resumed run repeats the cached prefix
     */
    record Opened(
            String appVersion, String workspace, String model, String agent, String systemPrompt)
            implements JournalRecord {
        @Override
        public String type() {
            return "session";
        }
    }

    /**
     * A user message of the history.
     *
     * @param origin who spoke: {@code person}, or the program for {@code nudge}, {@code continue},
     *     {@code close}, {@code schema}, {@code gate}, {@code loop}, {@code evaluation}
     * @param images shown with the text
     */
    record UserSaid(String text, String origin, List<Image> images) implements JournalRecord {
        public UserSaid {
            images = List.copyOf(images);
        }

        public UserSaid(String text, String origin) {
            this(text, origin, List.of());
        }

        @Override
        public String type() {
            return "user";
        }
    }

    /**
     * Which server the session's model was reached at, when the user named one; a resumed run of
     * that model goes there. {@link #NOWHERE} when it goes on without the one it had.
     *
     * @param apiKeyEnv name of the variable that holds the key; may be empty, never a key
     */
    record Routed(String baseUrl, String apiKeyEnv) implements JournalRecord {
        /** The model's own server. */
        public static final Routed NOWHERE = new Routed("", "");

        @Override
        public String type() {
            return "route";
        }
    }

    /**
     * What the session may use as a whole, as the user's command line said; a resumed run keeps to
     * it.
     *
     * @param usd US dollars as decimal text; empty for no such cap
     * @param tokens in and out, as text; empty for no such cap
     */
    record Capped(String usd, String tokens) implements JournalRecord {
        public static final Capped NOTHING = new Capped("", "");

        @Override
        public String type() {
            return "caps";
        }
    }

    /**
     * What a run may do, so that a later run of the session can see what has changed.
     *
     * @param confirm name of the confirm preset
     * @param allow rules as in the configuration, like {@code ask} and {@code deny}
     * @param sandbox mode that was asked for
     * @param network whether commands may use it
     * @param writable folders outside of the workspace that commands may write to; empty where it
     *     was not recorded
     * @param added folders that counted as part of the workspace, here or earlier in the session
     * @param tools names of those that the model was offered
     */
    record Terms(
            String confirm,
            List<String> allow,
            List<String> ask,
            List<String> deny,
            String sandbox,
            boolean network,
            Optional<List<String>> writable,
            List<String> added,
            List<String> tools)
            implements JournalRecord {
        public static final Terms UNKNOWN =
                new Terms(
                        "",
                        List.of(),
                        List.of(),
                        List.of(),
                        "",
                        false,
                        Optional.empty(),
                        List.of(),
                        List.of());

        public Terms {
            allow = List.copyOf(allow);
            ask = List.copyOf(ask);
            deny = List.copyOf(deny);
            writable = writable.map(List::copyOf);
            added = List.copyOf(added);
            tools = List.copyOf(tools);
        }

        /** With the workspace of the session. */
        public Roots roots(String workspace) {
            return new Roots(Path.of(workspace), added.stream().map(Path::of).toList());
        }

        @Override
        public String type() {
            return "terms";
        }
    }

    /**
     * A request, or another attempt of it, is about to be sent.
     *
     * @param reserved what it can use at most; null where no cap limits it
     * @param by who sends it, since several may wait at once: the call that started a sub-agent,
     *     empty for the session's own agent
     */
    record RequestSent(
            int step,
            long estimatedTokens,
            @Nullable String estimatedUsd,
            @Nullable Reserved reserved,
            String by)
            implements JournalRecord {
        public RequestSent(int step, long estimatedTokens) {
            this(step, estimatedTokens, null);
        }

        public RequestSent(int step, long estimatedTokens, @Nullable Reserved reserved) {
            this(step, estimatedTokens, null, reserved, "");
        }

        @Override
        public String type() {
            return "llm_req";
        }
    }

    /**
     * What a request can use at most: tokens of its prompt and of its reply.
     *
     * @param usd what those cost in US dollars as a decimal number; null when the price is unknown
     */
    record Reserved(long input, long output, @Nullable String usd) {}

    /**
     * An attempt failed.
     *
     * @param lostTokens estimate of the text that had come of its reply; 0 for nothing
     * @param usage what it has probably used all the same; {@link Usage#NONE} for nothing
     * @param usd cost of that in US dollars as a decimal number; null when the price is unknown
     * @param source who caused the cost: {@code retry} when another attempt follows, else as in
     *     {@link Replied}
     * @param by as in {@link RequestSent}
     */
    record RequestFailed(
            String code,
            String message,
            boolean willRetry,
            long lostTokens,
            Usage usage,
            @Nullable String usd,
            String source,
            String by)
            implements JournalRecord {
        /** Of the session's own agent. */
        public RequestFailed(
                String code,
                String message,
                boolean willRetry,
                long lostTokens,
                Usage usage,
                @Nullable String usd,
                String source) {
            this(code, message, willRetry, lostTokens, usage, usd, source, "");
        }

        @Override
        public String type() {
            return "llm_fail";
        }
    }

    /**
     * A whole reply.
     *
     * @param finish name of the finish reason
     * @param usd cost of the call in US dollars as a decimal number; null when the price is unknown
     * @param source who caused the cost: {@code agent}, {@code close}, …
     * @param by as in {@link RequestSent}
     */
    record Replied(
            Message.Assistant message,
            String finish,
            Usage usage,
            @Nullable String usd,
            String source,
            String requestId,
            String by)
            implements JournalRecord {
        /** To the session's own agent. */
        public Replied(
                Message.Assistant message,
                String finish,
                Usage usage,
                @Nullable String usd,
                String source,
                String requestId) {
            this(message, finish, usage, usd, source, requestId, "");
        }

        @Override
        public String type() {
            return "llm_resp";
        }

        /** Whether the provider interrupted the reply, which may then say nothing to a person. */
        public boolean isPaused() {
            return finish.equals("PAUSED");
        }
    }

    /** The policy's answer for one call. */
    record Decided(String callId, String verdict, String rule, String by) implements JournalRecord {
        @Override
        public String type() {
            return "decision";
        }
    }

    /**
     * A call is about to take effect.
     *
     * @param effect name of the tool's effect class
     */
    record Intended(String callId, String tool, String effect) implements JournalRecord {
        @Override
        public String type() {
            return "intent";
        }
    }

    /** A call is about to change files; what it means to change is on the disk as it was. */
    record Touched(String callId, List<PreImage> files) implements JournalRecord {
        @Override
        public String type() {
            return "touch";
        }
    }

    /** What the names that a call touched hold when it has ended, hooks included. */
    record Left(String callId, Map<String, FileState> files) implements JournalRecord {
        @Override
        public String type() {
            return "left";
        }
    }

    /**
     * Changes of files were put back as they were.
     *
     * @param effects numbers of the {@code touch} records that are undone wholly
     * @param restored names that were put back
     * @param refused names that were left, because somebody else has changed them
     */
    record Undone(List<Long> effects, List<String> restored, List<String> refused)
            implements JournalRecord {
        @Override
        public String type() {
            return "undo";
        }
    }

    /** The history ends behind this step again; what came after it only cost. */
    record Rewound(int step) implements JournalRecord {
        @Override
        public String type() {
            return "rewind";
        }
    }

    /** The end of what a call has printed so far; a later one takes its place. */
    record OutputSoFar(String callId, String text) implements JournalRecord {
        @Override
        public String type() {
            return "output";
        }
    }

    /** What the model is told about one call. */
    record Answered(String callId, ToolResult result) implements JournalRecord {
        @Override
        public String type() {
            return "result";
        }
    }

    /** Old messages were replaced by less; what they were stays on record before this. */
    record Compacted(Compaction what) implements JournalRecord {
        @Override
        public String type() {
            return "compact";
        }
    }

    /** A hook ran. */
    record HookRan(String name, String event, int exitCode, long millis) implements JournalRecord {
        @Override
        public String type() {
            return "hook_result";
        }
    }

    /** A watchdog ended the run. */
    record LimitReached(String stopReason) implements JournalRecord {
        @Override
        public String type() {
            return "limit";
        }
    }

    /** A signal arrived; name without SIG. */
    record Signalled(String signal) implements JournalRecord {
        @Override
        public String type() {
            return "signal";
        }
    }

    /**
     * The session was taken up again.
     *
     * @param tornBytes bytes of a torn last line that were moved aside
     * @param unresolved ids of calls that may have run although no result was recorded
     */
    record Resumed(long tornBytes, List<String> unresolved) implements JournalRecord {
        @Override
        public String type() {
            return "resume";
        }
    }

    /**
     * Everything before this was copied from another session; what that has cost counts here too.
     *
     * @param from id of that session
     * @param records how many of its records were copied
     */
    record Forked(String from, long records) implements JournalRecord {
        @Override
        public String type() {
            return "fork";
        }
    }

    /** The run ended. */
    record Ended(String status, String stopReason, int exitCode, int steps, long millis)
            implements JournalRecord {
        @Override
        public String type() {
            return "end";
        }
    }
}
