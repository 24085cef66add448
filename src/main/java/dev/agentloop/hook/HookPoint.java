package dev.agentloop.hook;

import java.util.Optional;

/** The moments of a run at which hooks are heard. The wire names are part of the contract. */
public enum HookPoint {
    /** Before the first step, once in a run; what it says is told to the model. */
    SESSION_START("session_start", "SessionStart"),
    /** The system prompt of a new session is put together; hooks may add to it or replace it. */
    PROMPT_BUILD("prompt_build", ""),
    /** A step begins; the model has not been asked yet. */
    ITERATION("iteration", ""),
    /** A request is about to be sent to the model. */
    PRE_LLM("pre_llm", ""),
    /** The model has replied; nothing it asked for has been done. */
    POST_LLM("post_llm", ""),
    /** A tool call is about to be judged and run. */
    PRE_TOOL("pre_tool", "PreToolUse"),
    /** A tool call was run. */
    POST_TOOL("post_tool", "PostToolUse"),
    /** A tool has changed a file. */
    POST_EDIT("post_edit", ""),
    /** Old messages were replaced by less. */
    COMPACTION("compaction", "PostCompact"),
    /** The tool calls of a step are answered. */
    STEP_END("step_end", ""),
    /** The model says that it is done. */
    AGENT_DONE("agent_done", "Stop"),
    /** Something failed that ends the run. */
    ERROR("error", ""),
    /** Most of the budget is spent; once in a run. */
    BUDGET_WARNING("budget_warning", ""),
    /** The run is over, however it ended; once in a run. */
    SESSION_END("session_end", "SessionEnd");

    private final String wireName;
    private final String alias;

    HookPoint(String wireName, String alias) {
        this.wireName = wireName;
        this.alias = alias;
    }

    public String wireName() {
        return wireName;
    }

    /** What Claude Code calls this moment; empty if it has no name for it. */
    public String alias() {
        return alias;
    }

    /** The point of that wire name. */
    public static Optional<HookPoint> named(String wireName) {
        for (HookPoint point : values()) {
            if (point.wireName.equals(wireName)) {
                return Optional.of(point);
            }
        }
        return Optional.empty();
    }

    /** Whether nothing that a hook says here changes the run. */
    public boolean isObserved() {
        return switch (this) {
            case POST_EDIT, ERROR, BUDGET_WARNING, SESSION_END -> true;
            case SESSION_START,
                    PROMPT_BUILD,
                    ITERATION,
                    PRE_LLM,
                    POST_LLM,
                    PRE_TOOL,
                    POST_TOOL,
                    COMPACTION,
                    STEP_END,
                    AGENT_DONE ->
                    false;
        };
    }

    /** Whether an outcome means something here; elsewhere it is ignored, with a warning. */
    public boolean understands(HookOutcome outcome) {
        return switch (outcome) {
            case HookOutcome.Continue _ -> true;
            case HookOutcome.Terminate _ -> !isObserved() && this != PROMPT_BUILD;
            case HookOutcome.Skip _, HookOutcome.Deny _, HookOutcome.Ask _, HookOutcome.Rewrite _ ->
                    this == PRE_TOOL;
            case HookOutcome.Inject _ ->
                    switch (this) {
                        case SESSION_START, ITERATION, STEP_END, AGENT_DONE -> true;
                        default -> false;
                    };
            case HookOutcome.Compact _ -> this == ITERATION || this == STEP_END;
            case HookOutcome.Amend _ -> this == PROMPT_BUILD;
        };
    }

    /** What a hook that fails has said: where something could still be stopped, it is. */
    public HookOutcome onFailure(String hook, String why) {
        String reason = "the hook " + hook + " failed: " + why;
        return switch (this) {
            case PRE_TOOL -> new HookOutcome.Deny(reason);
            case PRE_LLM -> new HookOutcome.Terminate(reason);
            case SESSION_START,
                    PROMPT_BUILD,
                    ITERATION,
                    POST_LLM,
                    POST_TOOL,
                    POST_EDIT,
                    COMPACTION,
                    STEP_END,
                    AGENT_DONE,
                    ERROR,
                    BUDGET_WARNING,
                    SESSION_END ->
                    HookOutcome.goOn();
        };
    }
}
