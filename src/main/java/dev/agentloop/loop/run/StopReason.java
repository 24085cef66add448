package dev.agentloop.loop.run;

/** Why a run ended. The wire names are part of the contract. */
public enum StopReason {
    LLM_DONE("llm_done"),
    MAX_STEPS("max_steps"),
    MAX_TOOL_CALLS("max_tool_calls"),
    BUDGET_EXCEEDED("budget_exceeded"),
    CONTEXT_FULL("context_full"),
    TIMEOUT("timeout"),
    USER_INTERRUPT("user_interrupt"),
    LLM_ERROR("llm_error"),
    AUTH_ERROR("auth_error"),
    CONFIG_ERROR("config_error"),
    OUTPUT_LIMIT("output_limit"),
    REFUSED("refused"),
    EMPTY_RESPONSE("empty_response"),
    SCHEMA_MISMATCH("schema_mismatch"),
    HOOK_TERMINATED("hook_terminated"),
    LOOP_DETECTED("loop_detected"),
    SESSION_ERROR("session_error"),
    OUTPUT_LOST("output_lost"),
    INTERNAL_ERROR("internal_error");

    private final String wireName;

    StopReason(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** Status of a run that ended so, before evaluation and strict denials are considered. */
    public Status status() {
        return switch (this) {
            case LLM_DONE -> Status.SUCCESS;
            case LLM_ERROR, AUTH_ERROR, CONFIG_ERROR, SESSION_ERROR, OUTPUT_LOST, INTERNAL_ERROR ->
                    Status.FAILED;
            case MAX_STEPS,
                    MAX_TOOL_CALLS,
                    BUDGET_EXCEEDED,
                    CONTEXT_FULL,
                    TIMEOUT,
                    USER_INTERRUPT,
                    OUTPUT_LIMIT,
                    REFUSED,
                    EMPTY_RESPONSE,
                    SCHEMA_MISMATCH,
                    HOOK_TERMINATED,
                    LOOP_DETECTED ->
                    Status.PARTIAL;
        };
    }
}
