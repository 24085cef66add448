package dev.agentloop.hook;

import java.time.Duration;

/**
 * How one hook ended.
 *
 * @param file the changed file, relative to the workspace root
 * @param exitCode -1 when there is none: killed at its timeout, stopped, or not startable
 * @param output what it printed on both streams, trimmed and capped, or what went wrong
 */
public record HookReport(String name, String file, int exitCode, Duration took, String output) {
    public boolean succeeded() {
        return exitCode == 0;
    }
}
