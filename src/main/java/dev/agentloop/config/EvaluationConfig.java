package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import java.math.BigDecimal;

/**
 * Whether a model judges finished work.
 *
 * @param maxRetries times that the work may be corrected, in the mode {@code FULL}
 * @param threshold confidence, 0 to 1, without which the work does not count as done
 */
public record EvaluationConfig(Mode mode, int maxRetries, BigDecimal threshold) {
    /** How much is done about it. */
    public enum Mode {
        OFF,
        /** The work is judged once. */
        BASIC,
        /** Work that does not pass is corrected and judged again. */
        FULL
    }

    static EvaluationConfig of(SettingsReader read) {
        return new EvaluationConfig(
                read.word(Mode.values(), "evaluation.mode"),
                read.whole("evaluation.max_retries"),
                read.money(KeyPath.of("evaluation.confidence_threshold")).orElseThrow());
    }
}
