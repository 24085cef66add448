package dev.agentloop.llm.http;

import java.time.Duration;

/**
 * How long a call may be silent and how much it may say.
 *
 * @param connect name lookup, connection and TLS together
 * @param headers from the sent request to the answer's headers
 * @param idle without any byte of the answer
 * @param noData without an event that carries data; comments keep a long thought alive only so far
 * @param maxEventBytes one event of a stream
 * @param maxReplyBytes one answer, decompressed
 */
public record HttpLimits(
        Duration connect,
        Duration headers,
        Duration idle,
        Duration noData,
        int maxEventBytes,
        long maxReplyBytes) {

    public static final HttpLimits DEFAULT =
            new HttpLimits(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(120), // long thoughts of reasoning models send nothing
                    Duration.ofSeconds(300),
                    8 << 20,
                    32L << 20);
}
