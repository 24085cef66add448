package dev.agentloop.wiring.prompt;

import dev.agentloop.config.EvaluationConfig;
import dev.agentloop.loop.SelfEvaluation;
import dev.agentloop.message.Message;
import dev.agentloop.session.SessionStore;
import dev.agentloop.wiring.run.RunSetup;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether and how a run's work is judged. */
public final class SelfEvaluations {
    private SelfEvaluations() {}

    /** Empty when it is not: by the user's wish, or because nothing was really done. */
    public static Optional<SelfEvaluation.Settings> settings(RunSetup setup, Prompts prompts) {
        EvaluationConfig config = setup.config().evaluation();
        boolean off = config.mode() == EvaluationConfig.Mode.OFF;
        if (off || setup.dryRun() || setup.demo()) {
            return Optional.empty();
        }
        boolean full = config.mode() == EvaluationConfig.Mode.FULL;
        return Optional.of(
                new SelfEvaluation.Settings(
                        task(setup),
                        config.mode().name().toLowerCase(Locale.ROOT),
                        full ? config.maxRetries() : 0,
                        config.threshold(),
                        prompts.judge(),
                        prompts.correction()));
    }

    /** What the person asked for last. */
    private static String task(RunSetup setup) {
        if (!setup.prompt().isEmpty()) {
            return setup.prompt();
        }
        List<Message> history =
                setup.reopened()
                        .map(SessionStore.Reopened::session)
                        .map(session -> session.history())
                        .orElse(List.of());
        for (Message message : history.reversed()) {
            if (message instanceof Message.User(String text, var _)) {
                return text;
            }
        }
        return "";
    }
}
