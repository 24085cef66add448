package dev.agentloop.llm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A listener that keeps what it heard. */
public final class Heard implements LlmListener {
    public final StringBuilder text = new StringBuilder();
    public final StringBuilder thinking = new StringBuilder();
    public final List<String> deltas = new ArrayList<>();
    public final List<String> warnings = new ArrayList<>();
    public final List<String> retries = new ArrayList<>();
    public final List<Thread> threads = new ArrayList<>();

    @Override
    public void text(String delta) {
        text.append(delta);
        deltas.add(delta);
        threads.add(Thread.currentThread());
    }

    @Override
    public void thinking(String delta) {
        thinking.append(delta);
    }

    @Override
    public void retry(int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
        retries.add(attempt + " " + delay.toMillis() + " " + failure.code() + " " + textWithdrawn);
    }

    @Override
    public void warning(String message) {
        warnings.add(message);
    }
}
