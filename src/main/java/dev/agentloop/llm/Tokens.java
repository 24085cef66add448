package dev.agentloop.llm;

import dev.agentloop.json.JsonValue;

/** Token counts as providers send them. */
public final class Tokens {
    private static final long MOST = 100_000_000; // no model reads or writes more in one call

    private Tokens() {}

    /** A count; 0, which is estimated later, for what is missing or cannot be true. */
    public static long count(JsonValue value) {
        long count = value.asLong();
        return count < 0 || count > MOST ? 0 : count;
    }

    /** A count for all so far; an event may leave out what has not changed. */
    public static long newer(JsonValue value, long before) {
        return value.isNumber() ? count(value) : before;
    }
}
