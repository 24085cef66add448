package dev.agentloop.cli.terminal;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.ToolCall;
import dev.agentloop.output.CallWords;
import dev.agentloop.output.Style;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The model's plan, which stands below the log while the run works and changes there. The log has
 * it once, as it was when the run ended. Events come one at a time; {@link #lines} may be asked
 * from the thread that draws.
 */
public final class LivePlan implements EventSink {
    private static final int MOST = 6; // lines

    private final EventSink log;
    private final Style plain;
    private final Map<String, AgentEvent.ToolStarted> begun = new HashMap<>(); // by call
    private volatile AgentEvent.@Nullable ToolFinished newest;

    /**
     * @param log is given all events but those of plans that a later one replaces
     */
    public LivePlan(EventSink log, Style style) {
        this.log = log;
        this.plain = style.withoutColours();
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.ToolStarted started when isPlan(started.call()) ->
                    begun.put(started.call().id(), started);
            case AgentEvent.ToolProgress progress when begun.containsKey(progress.callId()) -> {}
            case AgentEvent.ToolFinished end when isPlan(end.call()) -> {
                if (end.result().isError()) {
                    log(end);
                } else {
                    newest = end;
                }
            }
            case AgentEvent.Finished _ -> {
                AgentEvent.ToolFinished plan = newest;
                if (plan != null) {
                    log(plan);
                }
                log.emit(event);
            }
            default -> log.emit(event);
        }
    }

    private static boolean isPlan(ToolCall call) {
        return call.name().equals(CallWords.PLAN);
    }

    private void log(AgentEvent.ToolFinished end) {
        AgentEvent.ToolStarted started = begun.get(end.call().id());
        if (started != null) {
            log.emit(started);
        }
        log.emit(end);
    }

    /**
     * The plan in a few lines, of a long one those around the step that is worked on; none when all
     * is done. From any thread.
     */
    public List<String> lines() {
        AgentEvent.ToolFinished plan = newest;
        if (plan == null) {
            return List.of();
        }
        List<String> steps = CallWords.plan(plan.call(), plain);
        String doneSign = CallWords.done(plain);
        long done = steps.stream().filter(step -> step.startsWith(doneSign)).count();
        if (done == steps.size()) {
            return List.of();
        }
        if (steps.size() <= MOST) {
            return steps;
        }
        int current = 0;
        while (steps.get(current).startsWith(doneSign)) {
            current++;
        }
        int from = Math.clamp(current - 1, 0, steps.size() - MOST + 1);
        List<String> shown = new ArrayList<>();
        shown.add("Plan: " + done + " of " + steps.size() + " done");
        shown.addAll(steps.subList(from, from + MOST - 1));
        return shown;
    }
}
