package dev.agentloop.library;

import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.StopReason;

/**
 * A run that ended before the model was done. The conversation is legal and kept: what came of it
 * is in {@link #result}, and the next run goes on from there.
 *
 * <pre>{@code
 * try {
 *     agent.runText("Fix the build.");
 * } catch (LoopException.MaxTurns e) {
 *     System.err.println("not done after " + e.limit() + " turns: " + e.result().text());
 * }
 * }</pre>
 */
public abstract sealed class LoopException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient AgentResult result;

    private LoopException(String message, Throwable cause, AgentResult result) {
        super(message, cause);
        this.result = result;
    }

    private LoopException(String message, AgentResult result) {
        super(message);
        this.result = result;
    }

    /** How far the run came, and what it has used. */
    public AgentResult result() {
        return result;
    }

    /** Machine-readable kind: that of the provider's trouble, or the stop reason. */
    public String code() {
        return result.stopReason().wireName();
    }

    /** The model could not be asked, or gave no reply. */
    public static final class Provider extends LoopException {
        private static final long serialVersionUID = 1L;
        private final LlmException failure;

        Provider(LlmException failure, AgentResult result) {
            super(String.valueOf(failure.getMessage()), failure, result);
            this.failure = failure;
        }

        /** Its kind tells whether another attempt makes sense. */
        public LlmException failure() {
            return failure;
        }

        @Override
        public String code() {
            return failure.code();
        }
    }

    /**
     * The program that runs tools broke, not a tool: what a tool throws is a result that the model
     * reads.
     */
    public static final class Tool extends LoopException {
        private static final long serialVersionUID = 1L;

        Tool(String tool, RuntimeException bug, AgentResult result) {
            super("the call of " + tool + " broke the loop: " + bug, bug, result);
        }

        @Override
        public String code() {
            return "tool_error";
        }
    }

    /** The conversation fills the model's window and cannot be made shorter. */
    public static final class Context extends LoopException {
        private static final long serialVersionUID = 1L;

        Context(AgentResult result) {
            super("the conversation fills the model's context", result);
        }
    }

    /** The model was not done after as many turns as it may have. */
    public static final class MaxTurns extends LoopException {
        private static final long serialVersionUID = 1L;
        private final int turns;

        MaxTurns(int turns, AgentResult result) {
            super("not done after " + turns + " turns", result);
            this.turns = turns;
        }

        /** Steps that the run was allowed. */
        public int limit() {
            return turns;
        }
    }

    /** A hook ended the run. */
    public static final class HookTerminated extends LoopException {
        private static final long serialVersionUID = 1L;
        private final String hook;
        private final String reason;

        HookTerminated(String hook, String reason, AgentResult result) {
            super("stopped by the hook " + hook + ": " + reason, result);
            this.hook = hook;
            this.reason = reason;
        }

        /** The name of the hook that ended the run. */
        public String hook() {
            return hook;
        }

        /** The reason that the hook gave. */
        public String reason() {
            return reason;
        }
    }

    /** Somebody cancelled the run. */
    public static final class Cancelled extends LoopException {
        private static final long serialVersionUID = 1L;

        Cancelled(AgentResult result) {
            super("the run was cancelled", result);
        }
    }

    /**
     * Another reason of {@link StopReason}: a deadline, a model that refuses, whose answer is cut
     * or empty, or that goes round in circles. With a cause, something broke: the program, or what
     * it was given.
     */
    public static final class Unfinished extends LoopException {
        private static final long serialVersionUID = 1L;

        Unfinished(RuntimeException bug, AgentResult result) {
            super("the loop broke: " + bug, bug, result);
        }

        Unfinished(AgentResult result) {
            super("the run ended unfinished: " + result.stopReason().wireName(), result);
        }
    }
}
