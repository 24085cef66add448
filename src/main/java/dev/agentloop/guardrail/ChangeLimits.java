package dev.agentloop.guardrail;

import java.util.OptionalInt;

/**
 * How much a run may do; empty is no limit.
 *
 * @param files different files that tools change
 * @param lines added and removed by tools, together
 * @param commands that are started
 */
public record ChangeLimits(OptionalInt files, OptionalInt lines, OptionalInt commands) {
    public static final ChangeLimits NONE =
            new ChangeLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
}
