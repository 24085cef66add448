package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import java.util.List;
import java.util.Optional;

/**
 * Leaves out the texts of old results: the cheapest way, without a model call, and what is gone can
 * be read again. The longest go first: what many short ones say together costs less than one of
 * them, and is often worth more.
 *
 * @param kept newest steps whose results stay
 * @param onlyIfEnough whether it is done only when nothing else has to follow
 */
record ClearOldResults(int kept, boolean onlyIfEnough) implements ContextStrategy {
    private static final List<Integer> WEIGHTS = List.of(8_000, 4_000, 2_000, 1_000, 500);
    private static final int LIGHT = 8; // part of the window that is left of what was cleared
    private static final int HEAVY = 5; // from there on a summary does more

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
        String firstKept = steps.nameOfLast(untouched);
        Compaction clearing = Compaction.clearing(firstKept);
        if (onlyIfEnough && !isEnough(clearing, now) || !now.isWorthwhile(clearing)) {
            return Optional.empty();
        }
        return WEIGHTS.stream()
                .map(least -> Compaction.clearing(firstKept, least))
                .filter(heavy -> leaves(heavy, now) <= now.limit() / LIGHT)
                .filter(heavy -> isEnough(heavy, now) && now.isWorthwhile(heavy))
                .findFirst()
                .or(() -> Optional.of(clearing));
    }

    private static boolean isEnough(Compaction clearing, Situation now) {
        long most = now.limit() == 0 ? Long.MAX_VALUE : now.limit() / HEAVY;
        return now.tokensAfter(clearing) <= now.target() && leaves(clearing, now) <= most;
    }

    /** Tokens of the steps that are cleared which stay. */
    private static long leaves(Compaction clearing, Situation now) {
        Compaction without = new Compaction(Compaction.By.WINDOW, clearing.firstKept(), 0, "");
        return now.tokensAfter(clearing) - now.tokensAfter(without);
    }
}
