package dev.agentloop.loop.run;

/** How far a run got. */
public enum Status {
    SUCCESS,
    PARTIAL,
    FAILED;

    public String wireName() {
        return switch (this) {
            case SUCCESS -> "success";
            case PARTIAL -> "partial";
            case FAILED -> "failed";
        };
    }
}
