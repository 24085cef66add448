package dev.agentloop.replay;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookAnswer;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.call.ToolAnswers;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.CassetteWriter;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.verification.CheckedWork;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the ports of a run answer, and what its listeners are told. As a sink it must stand
 * behind the masking of events, with the outputs: texts that stream in pieces are masked there.
 */
public final class RecordingTape implements Tape, EventSink {
    private final Supplier<Instant> clock;
    private final AtomicInteger within = new AtomicInteger(); // a port whose answer holds all
    private final List<CassetteLine> early = new ArrayList<>();
    private final Masks masks = new Masks();
    private @Nullable CassetteWriter cassette;
    private volatile int step;
    private volatile @Nullable RunResult last;

    /**
     * What comes before {@link #begin} is kept in memory.
     *
     * @param clock for the times of events
     */
    public RecordingTape(Supplier<Instant> clock) {
        this.clock = clock;
    }

    /** From here on all goes to this cassette, what came before first. */
    public synchronized void begin(CassetteWriter writer) {
        cassette = writer;
        early.forEach(writer::write);
        early.clear();
    }

    /** Adds a line to the cassette; before that is open, lines wait in memory. */
    public synchronized void write(CassetteLine line) {
        if (cassette == null) {
            early.add(line);
        } else {
            cassette.write(line);
        }
    }

    @Override
    public void emit(AgentEvent event) {
        if (event instanceof AgentEvent.StepStarted(int number)) {
            step = number;
        }
        if (!(event instanceof AgentEvent.Finished)) { // that is made anew of all the others
            write(new CassetteLine.Event(clock.get(), event));
        }
    }

    @Override
    public LlmAdapter llm(Supplier<LlmAdapter> real) {
        return new RecordingLlm(real.get(), this::write, () -> step);
    }

    @Override
    public RunResult end(RunResult result) {
        last = result;
        return result;
    }

    @Override
    public void hide(UnaryOperator<String> mask) {
        masks.add(mask);
    }

    /** The text without what is to be hidden; for the mask of the cassette. */
    public String mask(String text) {
        return masks.apply(text);
    }

    /** How the last run ended; empty if none has. */
    public Optional<RunResult> lastResult() {
        return Optional.ofNullable(last);
    }

    @Override
    public List<Message> history(Supplier<List<Message>> real) {
        List<Message> history = whole(real);
        write(new CassetteLine.Opened(history));
        return history;
    }

    @Override
    public String systemPrompt(Supplier<String> real) {
        String prompt = whole(real);
        if (within.get() == 0) {
            write(new CassetteLine.Prompted(prompt));
        }
        return prompt;
    }

    @Override
    public List<ToolSpec> specs(List<ToolSpec> real) {
        write(new CassetteLine.Offered(real));
        return real;
    }

    @Override
    public ToolAnswers answer(List<ToolCall> calls, Supplier<ToolAnswers> real) {
        write(new CassetteLine.ToolsAsked(calls));
        ToolAnswers answers = whole(real);
        write(new CassetteLine.ToolsAnswered(answers));
        return answers;
    }

    @Override
    public CheckedWork.Found found(Supplier<CheckedWork.Found> real) {
        CheckedWork.Found found = real.get();
        if (!found.equals(CheckedWork.Found.NOTHING)) {
            write(new CassetteLine.Settled(found));
        }
        return found;
    }

    @Override
    public String diff(Supplier<String> real) {
        String diff = real.get();
        write(new CassetteLine.Diffed(diff));
        return diff;
    }

    @Override
    public HookAnswer ask(String hook, HookEvent event, Supplier<HookAnswer> real) {
        HookAnswer answer = real.get();
        if (within.get() == 0) {
            write(new CassetteLine.HookAnswered(event.point().wireName(), answer));
        }
        return answer;
    }

    @Override
    public FinalChecks checks(FinalChecks real) {
        return new TapedChecks(
                real,
                cancellation -> {
                    List<FinalChecks.Check> checks = real.run(cancellation);
                    write(new CassetteLine.Checked(checks));
                    return checks;
                });
    }

    /** What the port asks of others meanwhile is part of its answer. */
    private <T> T whole(Supplier<T> real) {
        within.incrementAndGet();
        try {
            return real.get();
        } finally {
            within.decrementAndGet();
        }
    }
}
