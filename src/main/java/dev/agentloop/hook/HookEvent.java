package dev.agentloop.hook;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What hooks are told. Secrets that the model does not see are not in it either. */
public sealed interface HookEvent {
    /** The moment at which this event happens. */
    HookPoint point();

    /** A run begins; {@code prompt} is what it was asked. */
    record SessionStarted(String prompt) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.SESSION_START;
        }
    }

    /** The system prompt as it is so far. */
    record PromptBuilt(String systemPrompt) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.PROMPT_BUILD;
        }
    }

    /**
     * How far a run has come.
     *
     * @param steps replies of the model so far
     * @param contextTokens estimate of what the next request holds
     * @param usd spent so far; null when a price is unknown
     */
    record Progress(int steps, long contextTokens, @Nullable BigDecimal usd) {}

    /** A step begins. */
    record StepBegins(Progress progress) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.ITERATION;
        }
    }

    /** What is about to be sent, in order. */
    record RequestReady(List<Message> messages) implements HookEvent {
        public RequestReady {
            messages = List.copyOf(messages);
        }

        @Override
        public HookPoint point() {
            return HookPoint.PRE_LLM;
        }
    }

    /** The reply to step {@code step}, from 1. */
    record Replied(int step, Message.Assistant reply, Usage usage) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.POST_LLM;
        }
    }

    /** A valid call, its arguments as the hooks before this one left them. */
    record ToolReady(ToolCall call) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.PRE_TOOL;
        }
    }

    /** A call that was run, and what came of it. */
    record ToolEnded(ToolCall call, ToolResult result) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.POST_TOOL;
        }
    }

    /** A changed file, relative to the workspace. */
    record FileEdited(String callId, String path) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.POST_EDIT;
        }
    }

    /** Estimated tokens of the history before and after. */
    record Compacted(long oldTokens, long newTokens) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.COMPACTION;
        }
    }

    /** A step with tool calls has ended. */
    record StepEnded(Progress progress) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.STEP_END;
        }
    }

    /** The final answer, unless a hook has something to add. */
    record Answered(String answer, int steps) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.AGENT_DONE;
        }
    }

    /** What went wrong; {@code code} as in the result's errors. */
    record Broken(String code, String message) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.ERROR;
        }
    }

    /** Money spent, and the budget. */
    record BudgetLow(BigDecimal usd, BigDecimal capUsd) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.BUDGET_WARNING;
        }
    }

    /** How the run ended. */
    record SessionEnded(String stopReason, String answer, int steps) implements HookEvent {
        @Override
        public HookPoint point() {
            return HookPoint.SESSION_END;
        }
    }
}
