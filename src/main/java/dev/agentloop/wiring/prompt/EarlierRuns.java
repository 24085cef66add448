package dev.agentloop.wiring.prompt;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Message;
import dev.agentloop.replay.Tape;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a run takes over from earlier runs of its session. */
public final class EarlierRuns {
    private EarlierRuns() {}

    /**
     * Reads that were cut off are made again, but not with a tape, which has no place for them:
     * then the model asks again. Where a worker keeps the session, all its runs are one task, whose
     * limits count through.
     */
    public static void begin(Run run, RunSetup setup, RunSurroundings around) {
        if (around.tape() == Tape.NONE && setup.reopened().isPresent()) {
            run.begin(setup.reopened().get().session().again());
        }
        Optional<SavedSession> earlier = ofTask(setup, around);
        if (earlier.isPresent()) {
            run.countFrom(earlier.get().steps());
            run.costs().ledger().countFrom(earlier.get().toolCalls());
        }
    }

    /**
     * When the run's time began.
     *
     * @param started monotonic nanoseconds at which this process began it
     */
    public static long started(long started, RunSetup setup, RunSurroundings around) {
        Optional<SavedSession> earlier = ofTask(setup, around);
        return earlier.isPresent()
                ? started - Duration.ofMillis(earlier.get().millis()).toNanos()
                : started;
    }

    /**
     * What to record of the model and its server when a session begins or goes on.
     *
     * @param version of this program
     * @param sameAgent whether it has its agent already; else the record of that names the model
     */
    public static List<JournalRecord> records(RunSetup setup, String version, boolean sameAgent) {
        List<JournalRecord> records = new ArrayList<>();
        if (sameAgent) {
            otherModel(setup, version).ifPresent(records::add);
        }
        route(setup).ifPresent(records::add);
        return records;
    }

    /**
     * What to record when the session's agent goes on with another model, which it then has until
     * somebody chooses again; empty if the model is the same.
     */
    private static Optional<JournalRecord.Opened> otherModel(RunSetup setup, String version) {
        String model = setup.model().model().info().id();
        return setup.reopened()
                .map(old -> old.session())
                .filter(old -> !old.summary().model().equals(model))
                .map(old ->
                        new JournalRecord.Opened(
                                version,
                                old.summary().workspace(),
                                model,
                                old.summary().agent(),
                                systemPrompt(old)));
    }

    /**
     * The server that was named for the model, to be recorded; that there is none any more, if the
     * session had one for this model and goes on without.
     */
    private static Optional<JournalRecord.Routed> route(RunSetup setup) {
        AgentConfig.Llm llm = setup.config().llm();
        if (llm.baseUrl().isPresent()) {
            String url = llm.baseUrl().get().toString();
            return Optional.of(new JournalRecord.Routed(url, llm.apiKeyEnv().orElse("")));
        }
        String model = setup.model().model().info().id();
        return setup.reopened()
                .filter(old -> !old.session().route(model).equals(JournalRecord.Routed.NOWHERE))
                .map(_ -> JournalRecord.Routed.NOWHERE);
    }

    private static String systemPrompt(SavedSession old) {
        return old.history().getFirst() instanceof Message.System(String text) ? text : "";
    }

    private static Optional<SavedSession> ofTask(RunSetup setup, RunSurroundings around) {
        return around.journal().waiting().isPresent() && setup.reopened().isPresent()
                ? Optional.of(setup.reopened().get().session())
                : Optional.empty();
    }
}
