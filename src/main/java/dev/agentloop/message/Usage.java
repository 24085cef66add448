package dev.agentloop.message;

/**
 * Tokens of one or more model calls. The four kinds never overlap, so their sum is what was
 * processed; providers that count cached tokens inside the prompt are converted by their adapter.
 *
 * @param input prompt tokens neither read from nor written to a cache
 * @param output generated tokens, reasoning included
 * @param cacheRead prompt tokens served from a cache
 * @param cacheWrite prompt tokens written to a cache
 * @param reasoning the part of {@code output} that was reasoning
 * @param estimated whether any figure is our estimate because the provider sent none
 */
public record Usage(
        long input,
        long output,
        long cacheRead,
        long cacheWrite,
        long reasoning,
        boolean estimated) {

    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, false);

    public Usage plus(Usage other) {
        return new Usage(
                input + other.input,
                output + other.output,
                cacheRead + other.cacheRead,
                cacheWrite + other.cacheWrite,
                reasoning + other.reasoning,
                estimated || other.estimated);
    }

    /** All prompt tokens, cached or not. */
    public long prompt() {
        return input + cacheRead + cacheWrite;
    }

    public long total() {
        return prompt() + output;
    }
}
