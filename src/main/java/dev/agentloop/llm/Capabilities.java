package dev.agentloop.llm;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * What a model can do, as its catalog entry says; an unknown model is asked for everything and its
 * provider's refusal tells the rest.
 *
 * @param tools whether it calls tools
 * @param images whether it takes images
 * @param efforts levels of reasoning it knows; empty when it has no such setting
 * @param parallelTools whether one reply may hold several calls
 * @param answerSchema whether the provider itself enforces a schema of the answer
 * @param textCalls whether it writes tool calls into its text, as some local models do
 * @param reasoningGoesBack whether it wants to see its earlier reasoning; strict servers of
 *     protocols that know no such thing refuse it
 * @param maxCompletionTokens whether it refuses the old name of the limit of a reply
 * @param temperature whether it takes one; others refuse the whole request
 * @param toolNames names under which it is told of the tools
 */
public record Capabilities(
        boolean tools,
        boolean images,
        Set<Effort> efforts,
        boolean parallelTools,
        boolean answerSchema,
        boolean textCalls,
        boolean reasoningGoesBack,
        boolean maxCompletionTokens,
        boolean temperature,
        ToolNames toolNames) {
    /** Of a model that nobody described. */
    public static final Capabilities UNKNOWN =
            new Capabilities(true, true, Set.of(Effort.values()), true, true, false);

    /** Of a model that is asked in the usual way. */
    public Capabilities(
            boolean tools,
            boolean images,
            Set<Effort> efforts,
            boolean parallelTools,
            boolean answerSchema,
            boolean textCalls) {
        this(
                tools,
                images,
                efforts,
                parallelTools,
                answerSchema,
                textCalls,
                false,
                false,
                true,
                ToolNames.OWN);
    }

    public Capabilities {
        efforts = Set.copyOf(efforts);
    }

    /**
     * The level that is closest to the wanted one, the lower of two; never {@code OFF} for somebody
     * who wants thoughts. Empty when the model has no such setting.
     */
    public Optional<Effort> nearest(Effort wanted) {
        if (efforts.contains(wanted)) {
            return Optional.of(wanted);
        }
        return efforts.stream()
                .filter(level -> level != Effort.OFF)
                .min(
                        Comparator.comparingInt((Effort level) ->
                                        Math.abs(level.ordinal() - wanted.ordinal()))
                                .thenComparing(Comparator.naturalOrder()));
    }
}
