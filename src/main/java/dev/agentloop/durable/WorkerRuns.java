package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableException;
import java.io.IOException;
import java.util.List;

/** Starts runs for a worker. */
@FunctionalInterface
interface WorkerRuns {
    /**
     * A new run, or with pieces of a journal one that goes on behind them.
     *
     * @param usd the most it may cost; empty for what the configuration says
     */
    LiveRun start(DurableTask task, List<SessionPart> pieces, String usd)
            throws IOException, DurableException;
}
