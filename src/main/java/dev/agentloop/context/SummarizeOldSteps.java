package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import java.util.List;
import java.util.Optional;

/**
 * Replaces old steps by a summary: the model's, or the program's own when the model gives none of
 * use.
 *
 * @param after steps that a history has before they are summed up; 0: from the first on
 * @param kept newest steps that stay as they are
 */
record SummarizeOldSteps(int after, int kept) implements ContextStrategy {
    @Override
    public Optional<Compaction> propose(Situation now, Summarizer model) {
        Steps steps = Steps.of(now.history());
        boolean spare = now.pressure() == Pressure.FULL;
        if (steps.count() < 2 || spare && steps.count() <= Math.max(after, kept)) {
            return Optional.empty();
        }
        int untouched = Math.min(kept, steps.count() - 1); // fewer than wished only if it is urgent
        List<Message> old = steps.before(untouched);
        Plan plan = new Plan(steps.nameOfLast(untouched), SpokenWords.users(old, now), old);
        if (!now.isWorthwhile(plan.compaction(Compaction.By.SUMMARY, ""))) {
            return Optional.empty();
        }
        return request(plan, now)
                .flatMap(model::summarize)
                .map(text -> plan.compaction(Compaction.By.SUMMARY, text.strip()))
                .filter(summary -> now.tokensAfter(summary) < now.tokens())
                .or(() -> mechanical(plan, now));
    }

    private record Plan(String firstKept, int users, List<Message> old) {
        Compaction compaction(Compaction.By by, String summary) {
            return new Compaction(by, firstKept, users, summary);
        }
    }

    /**
     * The history as it is, whose beginning the provider's cache knows; without the old results if
     * it would be refused; empty if it would be even then.
     */
    private static Optional<List<Message>> request(Plan plan, Situation now) {
        List<Message> cleared = Compaction.clearing(plan.firstKept()).applyTo(now.history());
        return List.of(now.history(), cleared).stream()
                .filter(history -> now.tokens(history) <= now.room())
                .findFirst();
    }

    private static Optional<Compaction> mechanical(Plan plan, Situation now) {
        String list = MechanicalSummary.of(plan.old());
        return Optional.of(plan.compaction(Compaction.By.MECHANICAL, list))
                .filter(summary -> now.tokensAfter(summary) < now.tokens());
    }
}
