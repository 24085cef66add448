package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import java.util.Optional;

/** Drops the oldest steps, whole: the last resort. */
record DropOldSteps() implements ContextStrategy {
    @Override
    public Optional<Compaction> propose(Situation now, Summarizer model) {
        if (now.pressure() == Pressure.FULL || now.pressure() == Pressure.WANTED) {
            return Optional.empty();
        }
        Steps steps = Steps.of(now.history());
        Compaction least = null;
        for (int kept = steps.count() - 1; kept > 0; kept--) {
            least = dropping(steps, kept, now);
            if (now.tokensAfter(least) <= now.target()) {
                break;
            }
        }
        return Optional.ofNullable(least).filter(it -> isWorthwhile(it, now));
    }

    /** When nobody knows how much is too much, a little less is hardly enough. */
    private static boolean isWorthwhile(Compaction dropping, Situation now) {
        long gain = now.tokens() - now.tokensAfter(dropping);
        return gain > 0 && (now.pressure() != Pressure.REFUSED || gain >= now.tokens() / 10);
    }

    private static Compaction dropping(Steps steps, int kept, Situation now) {
        var old = steps.before(kept);
        return new Compaction(
                Compaction.By.WINDOW,
                steps.nameOfLast(kept),
                SpokenWords.users(old, now),
                SpokenWords.summary(old).orElse(""));
    }
}
