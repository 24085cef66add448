package dev.agentloop.session;

import java.time.Instant;

/**
 * One line of a session list.
 *
 * @param title first line of the first prompt, cut
 * @param status {@code success}, {@code partial}, {@code failed}, or {@code open} when no end was
 *     recorded, {@code damaged} when it cannot be read; then the title says why
 */
public record SessionSummary(
        String id,
        Instant started,
        Instant updated,
        String workspace,
        String model,
        String agent,
        String title,
        String status,
        int steps) {}
