package dev.agentloop.durable;

import dev.agentloop.durable.gate.WaitRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs that ask the model, act and note what came of it, some steps long. What is intended and has
 * no result when a run goes on is not done again, but told, as a resumed session does it.
 */
final class PretendedRuns implements WorkerRuns {
    private final int steps;
    final Map<String, Integer> effects = new LinkedHashMap<>();
    final List<String> told = new ArrayList<>();
    int asked;
    boolean waits; // for a signal before all else

    PretendedRuns(int steps) {
        this.steps = steps;
    }

    @Override
    public LiveRun start(DurableTask task, List<SessionPart> pieces, String usd) {
        StringBuilder journal = new StringBuilder();
        pieces.forEach(piece -> journal.append(piece.lines()));
        return new PretendedRun(journal.toString().lines().toList());
    }

    private final class PretendedRun implements LiveRun {
        private final List<String> lines;
        private int stored;
        private String waiting = "";
        private boolean killed;

        PretendedRun(List<String> known) {
            lines = new ArrayList<>(known);
            stored = lines.size();
        }

        @Override
        public Event next(long millis) {
            if (killed || lines.contains("end")) {
                return Event.ENDED;
            }
            if (waits && !lines.contains("answer")) {
                return Event.WAITS;
            }
            for (int step = 0; step < steps; step++) {
                if (!lines.contains("reply " + step)) {
                    waiting = "reply " + step;
                    return Event.ASKS;
                }
                if (!lines.contains("result " + step)) {
                    return act(step);
                }
            }
            lines.add("end");
            return Event.WROTE;
        }

        private Event act(int step) {
            if (!lines.contains("intent " + step)) {
                lines.add("intent " + step);
                waiting = "result " + step;
                return Event.ACTS;
            }
            told.add("effect " + step);
            lines.add("result " + step);
            return Event.WROTE;
        }

        @Override
        public Optional<SessionPart> collect() {
            List<String> news = lines.subList(stored, lines.size());
            if (news.isEmpty()) {
                return Optional.empty();
            }
            SessionPart piece = new SessionPart("f", String.join("\n", news) + "\n", Map.of());
            stored = lines.size();
            return Optional.of(piece);
        }

        @Override
        public void go() {
            if (waiting.startsWith("result")) {
                effects.merge(waiting.replace("result", "effect"), 1, Integer::sum);
            } else {
                asked++;
            }
            lines.add(waiting);
        }

        @Override
        public WaitRequest wish() {
            return new WaitRequest("call", "approved", Duration.ofHours(1).toMillis());
        }

        @Override
        public void answer(String line) {
            told.add(line);
            lines.add("answer");
        }

        @Override
        public Outcome outcome() {
            return killed
                    ? new Outcome(137, "", "killed")
                    : new Outcome(0, "{\"cost\":{\"usd\":0.25}}", "");
        }

        @Override
        public void kill() {
            killed = true;
        }
    }
}
