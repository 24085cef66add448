package dev.agentloop.loop.call;

/**
 * Numbers that shape the running of tools.
 *
 * @param parallel whether calls of one reply may run side by side
 * @param maxParallel how many at once
 * @param maxCallsPerStep calls of one reply beyond this many are answered with an error
 * @param dryRun whether everything but pure calls is only recorded
 */
public record ToolSettings(
        boolean parallel, int maxParallel, int maxCallsPerStep, boolean dryRun) {}
