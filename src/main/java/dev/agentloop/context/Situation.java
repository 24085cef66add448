package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import java.util.List;

/**
 * A history that is to be made shorter.
 *
 * @param prompt with the history as it is by now
 * @param ratio tokens of the model for each token of the estimate
 * @param limit tokens that the history and all else may have; 0 for no limit
 * @param target tokens at which it is short enough
 * @param room tokens of the longest request that will hardly be refused
 */
record Situation(
        Prompt prompt, double ratio, long limit, Pressure pressure, long target, long room) {
    private static final double ROOM = 0.9; // the rest is for the answer, and for a wrong estimate
    private static final long WORTHWHILE = 4000; // tokens, of a history without a limit
    private static final int SHARE = 10; // of the limit: what is worth a lost prompt cache

    static Situation of(Prompt prompt, double ratio, long limit, Pressure pressure) {
        long target = limit == 0 ? Long.MAX_VALUE : limit / 2;
        long room = limit == 0 ? Long.MAX_VALUE : (long) (limit * ROOM);
        Situation known = new Situation(prompt, ratio, limit, pressure, target, room);
        if (pressure != Pressure.REFUSED) {
            return known;
        }
        // how long it may be, nobody knows: two fifths of what can be given up go
        long now = known.tokens();
        List<Message> history = prompt.history();
        long fixed = known.tokens(history.subList(0, Math.min(2, history.size())));
        return new Situation(
                prompt,
                ratio,
                limit,
                pressure,
                Math.min(target, fixed + (now - fixed) * 3 / 5),
                Math.min(room, (long) (now * ROOM)));
    }

    List<Message> history() {
        return prompt.history();
    }

    long tokens() {
        return tokens(history());
    }

    /** Of a request with this history. */
    long tokens(List<Message> other) {
        return Math.round((TokenEstimate.of(other) + prompt.besides()) * ratio);
    }

    long tokensAfter(Compaction compaction) {
        return tokens(compaction.applyTo(history()));
    }

    /** Whether enough is gained: else each further step would do it again for next to nothing. */
    boolean isWorthwhile(Compaction compaction) {
        long gain = tokens() - tokensAfter(compaction);
        long least = limit == 0 ? WORTHWHILE : limit / SHARE;
        return pressure == Pressure.FULL ? gain >= least : gain > 0;
    }

    boolean isReached() {
        return tokens() <= target;
    }

    Situation with(List<Message> shorter) {
        return new Situation(
                new Prompt(shorter, prompt.besides(), prompt.model()),
                ratio,
                limit,
                pressure,
                target,
                room);
    }
}
