package dev.agentloop.evaluation;

import java.util.function.UnaryOperator;

/**
 * What became of the evaluation of a run.
 *
 * @param mode basic or full
 * @param passed whether the judgement reaches the threshold
 * @param judgement of the attempt that counts
 * @param attempts how often the work was judged
 */
public record Evaluation(String mode, boolean passed, Judgement judgement, int attempts) {
    /** The same with the model's words changed by {@code change}. */
    public Evaluation withTexts(UnaryOperator<String> change) {
        Judgement masked =
                new Judgement(
                        judgement.completed(),
                        judgement.confidence(),
                        judgement.issues().stream().map(change).toList(),
                        change.apply(judgement.suggestion()));
        return new Evaluation(mode, passed, masked, attempts);
    }
}
