package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a history that fills its window shorter by the first strategies that together are enough.
 * In between it only grows, so that the provider's prompt cache keeps knowing its beginning.
 */
public final class CompactingContext implements ContextManager {
    private static final double FULL = 0.75;
    private static final double CRITICAL = 0.95;

    private final Truncation truncation;
    private final long maxTokens;
    private final List<ContextStrategy> strategies;
    private final TokenMeter meter = new TokenMeter();
    private final ResultPace pace;

    /**
     * When and how far.
     *
     * @param maxTokens of history, instructions and tools; 0 for no limit
     * @param summarizeAfterSteps a shorter history is not summed up
     * @param keepRecentSteps newest steps that stay as they are as long as possible
     */
    public record Limits(long maxTokens, int summarizeAfterSteps, int keepRecentSteps) {}

    /**
     * The usual strategies: old results are left out, steps summed up, then dropped; long arguments
     * of the newest step go last.
     */
    public CompactingContext(Truncation truncation, Limits limits) {
        this(
                truncation,
                limits.maxTokens(),
                List.of(
                        new ClearOldResults(limits.keepRecentSteps(), true),
                        new SummarizeOldSteps(
                                limits.summarizeAfterSteps(), limits.keepRecentSteps()),
                        new ClearOldResults(limits.keepRecentSteps(), false),
                        new DropOldSteps(),
                        new ShortenArguments()));
    }

    CompactingContext(Truncation truncation, long maxTokens, List<ContextStrategy> strategies) {
        this.truncation = truncation;
        this.maxTokens = maxTokens;
        this.strategies = strategies;
        this.pace = new ResultPace(maxTokens, (long) (maxTokens * FULL));
    }

    @Override
    public ContextManager forSession() {
        return new CompactingContext(truncation, maxTokens, strategies);
    }

    @Override
    public Fitted fit(Prompt prompt, Summarizer model) {
        if (!fills(prompt, FULL) && maxTokens > 0) {
            pace.step(meter.tokens(prompt));
            return new Fitted(prompt.history(), List.of());
        }
        Pressure pressure = isCriticallyFull(prompt) ? Pressure.CRITICAL : Pressure.FULL;
        Fitted fitted = shorter(prompt, pressure, model);
        pace.step(fitted.done().isEmpty() ? meter.tokens(prompt) : fitted.done().getLast().after());
        return fitted;
    }

    @Override
    public Fitted makeRoom(Prompt prompt, Summarizer model) {
        return shorter(prompt, Pressure.REFUSED, model);
    }

    @Override
    public Fitted compact(Prompt prompt, Summarizer model) {
        return shorter(prompt, Pressure.WANTED, model);
    }

    private Fitted shorter(Prompt prompt, Pressure pressure, Summarizer model) {
        List<Done> done = new ArrayList<>();
        Situation now = Situation.of(prompt, meter.ratio(prompt.model()), maxTokens, pressure);
        for (ContextStrategy strategy : strategies) {
            if (!done.isEmpty() && (now.isReached() || isEnough(now))) {
                break;
            }
            Optional<Compaction> proposed = strategy.propose(now, model);
            if (proposed.isPresent()) {
                List<Message> history = proposed.get().applyTo(now.history());
                long after = now.tokens(history);
                if (after < now.tokens()) {
                    done.add(new Done(proposed.get(), now.tokens(), after));
                    now = now.with(history);
                }
            }
        }
        meter.startAnew();
        if (!done.isEmpty()) {
            pace.startAnew();
        }
        return new Fitted(now.history(), done);
    }

    /** What comes next takes from the newest steps: only if nothing else helps. */
    private boolean isEnough(Situation now) {
        return now.pressure() != Pressure.REFUSED && now.tokens() <= (long) (maxTokens * FULL);
    }

    @Override
    public ToolResult shorten(ToolResult result, String notes, int calls) {
        return truncation.apply(result, notes, calls, pace.chars());
    }

    @Override
    public int resultChars(int calls) {
        return truncation.room(calls, pace.chars());
    }

    @Override
    public boolean isCriticallyFull(Prompt prompt) {
        return maxTokens > 0 && fills(prompt, CRITICAL);
    }

    private boolean fills(Prompt prompt, double share) {
        return meter.tokens(prompt) > (long) (maxTokens * share);
    }

    @Override
    public long tokens(Prompt prompt) {
        return meter.tokens(prompt);
    }

    @Override
    public long estimate(Prompt prompt) {
        return meter.estimate(prompt);
    }

    @Override
    public void learn(String model, long estimate, long tokens) {
        meter.learn(model, estimate, tokens);
    }
}
