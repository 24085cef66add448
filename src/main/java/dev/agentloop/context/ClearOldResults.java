package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import java.util.Optional;

/**
 * Leaves out the texts of old results: the cheapest way, without a model call, and what is gone can
 * be read again.
 *
 * @param kept newest steps whose results stay
 * @param onlyIfEnough whether it is done only when nothing else has to follow
 */
record ClearOldResults(int kept, boolean onlyIfEnough) implements ContextStrategy {
    @Override
    public Optional<Compaction> propose(Situation now, Summarizer model) {
        boolean unlimited = now.limit() == 0 && now.pressure() == Pressure.FULL;
        if (unlimited || onlyIfEnough && now.pressure() == Pressure.WANTED) {
            return Optional.empty();
        }
        Steps steps = Steps.of(now.history());
        Optional<Compaction> most = clearing(steps, kept, now);
        boolean urgent = now.pressure() == Pressure.CRITICAL || now.pressure() == Pressure.REFUSED;
        boolean others = onlyIfEnough && steps.count() > kept; // better ways to do it come next
        // the results of the newest step stay in any case: the model has not seen them yet
        return most.isPresent() || !urgent || others ? most : clearing(steps, 1, now);
    }

    private Optional<Compaction> clearing(Steps steps, int untouched, Situation now) {
        if (steps.count() <= untouched) {
            return Optional.empty();
        }
        Compaction clearing = Compaction.clearing(steps.nameOfLast(untouched));
        boolean enough = !onlyIfEnough || now.tokensAfter(clearing) <= now.target();
        return enough && now.isWorthwhile(clearing) ? Optional.of(clearing) : Optional.empty();
    }
}
