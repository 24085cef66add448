package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import java.util.Optional;

/**
 * Leaves out long arguments of the newest step, which no other strategy shortens: a single call may
 * be longer than the window. The tool had them whole.
 */
record ShortenArguments() implements ContextStrategy {
    @Override
    public Optional<Compaction> propose(Situation now, Summarizer model) {
        Steps steps = Steps.of(now.history());
        boolean urgent = now.pressure() == Pressure.CRITICAL || now.pressure() == Pressure.REFUSED;
        if (!urgent || steps.count() == 0) {
            return Optional.empty();
        }
        return Optional.of(Compaction.ofArguments(steps.nameOfLast(1))).filter(now::isWorthwhile);
    }
}
