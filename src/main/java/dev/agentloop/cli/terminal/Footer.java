package dev.agentloop.cli.terminal;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.markdown.TextFlow;
import dev.agentloop.output.SafeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The line below what a person types in a chat: model, agent, how full the model's window is, cost
 * of the task and of the session, time of the task. A narrow terminal shows the first of them.
 *
 * <p><b>Contract.</b> Safe from any thread.
 */
public final class Footer implements EventSink {
    private static final String MAIN_MODEL = "agent"; // on whose behalf it is called
    private static final String BETWEEN = " | ";

    private String model = "";
    private String agent = "";
    private long context; // tokens
    private int window; // tokens; 0: not known
    private @Nullable BigDecimal before = BigDecimal.ZERO; // cost of the session; null: not known
    private @Nullable BigDecimal task = BigDecimal.ZERO;
    private long started;
    private long nanos = -1; // that the last task took
    private boolean running;

    /**
     * What the next task goes on with.
     *
     * @param itsContext tokens of the conversation; 0 where the model has not counted them
     * @param spent US dollars that the session has cost; null where a price is not known
     */
    public synchronized void goesOnWith(
            String itsModel, String itsAgent, long itsContext, @Nullable BigDecimal spent) {
        if (!itsModel.equals(model)) {
            window = 0;
        }
        model = itsModel;
        agent = itsAgent;
        context = itsContext;
        before = spent;
        running = false;
    }

    /** Nothing is shown until the next task: the chat has left its session for a new one. */
    public synchronized void clear() {
        goesOnWith("", "", 0, BigDecimal.ZERO);
        task = BigDecimal.ZERO;
        nanos = -1;
    }

    /**
     * Cost and time of the task begin at nothing, because the chat has started its run.
     *
     * @param tokens that the model's window holds; 0 where nobody knows
     */
    public synchronized void begin(int tokens) {
        window = tokens;
        task = BigDecimal.ZERO;
        started = System.nanoTime();
        running = true;
    }

    @Override
    public synchronized void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.SessionStarted begun -> {
                model = begun.model();
                agent = begun.agent();
            }
            case AgentEvent.AgentSwitched(String _, String to) -> agent = to;
            case AgentEvent.UsageReported reported -> {
                BigDecimal more = reported.usd();
                task = task == null || more == null ? null : task.add(more);
                if (reported.source().equals(MAIN_MODEL)) {
                    context = reported.usage().prompt() + reported.usage().output();
                }
            }
            case AgentEvent.ContextCompacted compacted -> context = compacted.newTokens();
            case AgentEvent.Finished _ -> {
                nanos = System.nanoTime() - started;
                running = false;
                before = sum();
            }
            default -> {} // changes nothing that is shown
        }
    }

    /** As much of it as the columns hold; empty before anything is known. */
    public synchronized String text(int columns) {
        if (model.isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        parts.add(SafeText.line(model));
        if (context > 0) {
            parts.add(fullness());
        }
        BigDecimal whole = running ? sum() : before;
        if (whole != null && whole.signum() > 0) {
            parts.add("session $" + money(whole));
        }
        if (task != null && task.signum() > 0) {
            parts.add("task $" + money(task));
        }
        if (running || nanos >= 0) {
            parts.add(clock(running ? System.nanoTime() - started : nanos));
        }
        parts.add("agent " + SafeText.line(agent));
        while (parts.size() > 1 && TextFlow.width(String.join(BETWEEN, parts)) >= columns) {
            parts.removeLast();
        }
        return TextFlow.cut(String.join(BETWEEN, parts), Math.max(0, columns - 1));
    }

    private String fullness() {
        return window == 0
                ? String.format(Locale.ROOT, "%,d tokens in the context", context)
                : Math.min(100, Math.ceilDiv(context * 100, window)) + " % of the window";
    }

    private @Nullable BigDecimal sum() {
        return before == null || task == null ? null : before.add(Objects.requireNonNull(task));
    }

    private static String money(BigDecimal usd) {
        return usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
    }

    private static String clock(long nanos) {
        long seconds = nanos / 1_000_000_000L;
        return "%d:%02d".formatted(seconds / 60, seconds % 60);
    }
}
