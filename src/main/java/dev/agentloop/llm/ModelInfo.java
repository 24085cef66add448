package dev.agentloop.llm;

/**
 * A model and its limits.
 *
 * @param provider name of the provider's entry, e.g. {@code openai}
 * @param name the model's name at that provider
 * @param contextWindow tokens; 0 when unknown
 * @param maxOutputTokens tokens; 0 when unknown
 */
public record ModelInfo(
        String provider,
        String name,
        int contextWindow,
        int maxOutputTokens,
        Capabilities capabilities) {
    /** A model of which nobody said what it can do. */
    public ModelInfo(String provider, String name, int contextWindow, int maxOutputTokens) {
        this(provider, name, contextWindow, maxOutputTokens, Capabilities.UNKNOWN);
    }

    /** {@code provider/model}, as options and prices name it. */
    public String id() {
        return provider + "/" + name;
    }
}
