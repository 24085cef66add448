package dev.agentloop.library;

import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Price;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@link AgentStats} from the events of a conversation; nothing is counted twice. */
final class StatsCollector implements EventSink {
    private static final String STEP = "agent"; // source of a step's call

    private final @Nullable Price price;
    private final CostTracker costs;
    private int steps;
    private int agreed;
    private int rejected;
    private int failed;
    private int succeeded;
    private Usage lastTurn = Usage.NONE;
    private Duration lastTook = Duration.ZERO;
    private Duration took = Duration.ZERO;

    StatsCollector(@Nullable Price price, CostTracker costs) {
        this.price = price;
        this.costs = costs;
    }

    @Override
    public synchronized void emit(AgentEvent event) {
        if (event instanceof AgentEvent.LlmResponded reply) {
            took = reply.took(); // its usage follows
        } else if (event instanceof AgentEvent.UsageReported(String source, Usage usage, var _)
                && source.equals(STEP)) {
            steps++;
            lastTurn = usage;
            lastTook = took;
        } else if (event instanceof AgentEvent.PermissionDecided decided) {
            agreed += decided.verdict().equals("allow") ? 1 : 0;
        } else if (event instanceof AgentEvent.ToolFinished end) {
            count(end.result().kind());
        }
    }

    private void count(ToolResult.Kind kind) {
        switch (kind) {
            case OK -> succeeded++;
            case DENIED, SKIPPED -> rejected++;
            case ERROR, RETRY_HINT, CANCELLED -> failed++;
        }
    }

    synchronized AgentStats stats() {
        Usage all = costs.usage();
        double seconds = lastTook.toNanos() / 1e9;
        return new AgentStats(
                steps,
                all.prompt(),
                all.output(),
                agreed,
                rejected,
                failed,
                succeeded,
                lastTurn.total(),
                lastTurn.prompt(),
                lastTurn.output(),
                lastTook,
                seconds == 0 ? 0 : lastTurn.output() / seconds,
                price == null ? null : price.input(),
                price == null ? null : price.output(),
                costs.usd());
    }
}
