package dev.agentloop.cost;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;

/**
 * What a model costs, in US dollars per million tokens. {@code reasoning} tokens are part of the
 * output; they cost the output price unless the provider lists another.
 */
public record Price(
        BigDecimal input,
        BigDecimal cachedInput,
        BigDecimal cacheWrite,
        BigDecimal output,
        BigDecimal reasoning) {

    /** Exact cost of these tokens in US dollars; no rounding, millionths of a dollar and below. */
    public BigDecimal of(Usage usage) {
        long reasoned = Math.min(usage.reasoning(), usage.output());
        return perMillion(input, usage.input())
                .add(perMillion(cachedInput, usage.cacheRead()))
                .add(perMillion(cacheWrite, usage.cacheWrite()))
                .add(perMillion(output, usage.output() - reasoned))
                .add(perMillion(reasoning, reasoned));
    }

    /** The most that a call of this size can cost, whatever kinds of tokens it has. */
    BigDecimal most(long prompt, long generated) {
        return perMillion(input.max(cachedInput).max(cacheWrite), prompt)
                .add(perMillion(output.max(reasoning), generated));
    }

    /** A price by which each kind of token costs what it costs where it is dearer. */
    Price orDearer(Price other) {
        return new Price(
                input.max(other.input),
                cachedInput.max(other.cachedInput),
                cacheWrite.max(other.cacheWrite),
                output.max(other.output),
                reasoning.max(other.reasoning));
    }

    /** Whether no token costs anything, as with a model of one's own. */
    boolean isFree() {
        return of(new Usage(1, 1, 1, 1, 0, false)).signum() == 0 && reasoning.signum() == 0;
    }

    private static BigDecimal perMillion(BigDecimal price, long tokens) {
        return price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(6);
    }
}
