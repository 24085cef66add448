package dev.agentloop.cli.command;

import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;

/** The contract with CI jobs and scripts; see docs/exit-codes.md. */
public enum ExitCode {
    SUCCESS(0),
    FAILED(1),
    PARTIAL(2),
    CONFIG_ERROR(3),
    AUTH_ERROR(4),
    TIMEOUT(5),
    INTERRUPTED(130),
    PIPE(141);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The one place where a stop reason becomes an exit code. */
    public static ExitCode of(StopReason reason) {
        return switch (reason) {
            case LLM_DONE -> SUCCESS;
            case MAX_STEPS,
                    MAX_TOOL_CALLS,
                    BUDGET_EXCEEDED,
                    CONTEXT_FULL,
                    OUTPUT_LIMIT,
                    REFUSED,
                    EMPTY_RESPONSE,
                    SCHEMA_MISMATCH,
                    HOOK_TERMINATED,
                    LOOP_DETECTED ->
                    PARTIAL;
            case TIMEOUT -> TIMEOUT;
            case USER_INTERRUPT -> INTERRUPTED;
            case LLM_ERROR, SESSION_ERROR, OUTPUT_LOST, INTERNAL_ERROR -> FAILED;
            case AUTH_ERROR -> AUTH_ERROR;
            case CONFIG_ERROR -> CONFIG_ERROR;
        };
    }

    /**
     * Exit code of a finished run.
     *
     * @param status the run's status; partial although the model was done means strict denials
     * @param onPartial what {@code --exit-code-on-partial} says, 2 by default
     */
    public static int of(StopReason reason, Status status, int onPartial) {
        ExitCode code =
                reason == StopReason.LLM_DONE && status != Status.SUCCESS ? PARTIAL : of(reason);
        return code == PARTIAL ? onPartial : code.code();
    }
}
