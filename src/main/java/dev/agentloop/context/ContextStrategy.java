package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import java.util.Optional;

/**
 * One way to make a history shorter.
 *
 * <p><b>Contract.</b> Changes nothing itself. A proposal need not be enough: the next strategy is
 * asked then.
 */
@FunctionalInterface
interface ContextStrategy {
    /**
     * @param model for strategies that need its words; costs a model call
     * @return empty when there is nothing to do, or it would not be worth it
     */
    Optional<Compaction> propose(Situation now, Summarizer model);
}
