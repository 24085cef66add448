package dev.agentloop.loop;

/**
 * How a run ended and what it says.
 *
 * @param text the final text; of an unfinished run its summary, or one line that says why it ended
 * @param steps completed model replies, the closing call not counted
 */
public record RunResult(StopReason stopReason, String text, int steps) {}
