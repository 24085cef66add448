package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OptionSettings;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.resume.EarlierSession;
import dev.agentloop.cli.session.UndoRun;
import dev.agentloop.cli.setup.ModelSelection;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.wiring.Profile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Whether the next task of a chat could begin with another model or agent. */
final class ChatChoice {
    private final Invocation invocation;
    private final ChatRuns runs;

    ChatChoice(Invocation invocation, ChatRuns runs) {
        this.invocation = invocation;
        this.runs = runs;
    }

    /** What can be wrong with a choice. */
    private interface Check {
        void run() throws UsageException, AuthException, SessionException, IOException;
    }

    /** For people; empty if nothing is wrong. */
    String problemOfModel(String name) {
        return problem(() -> {
            ParseResult next = runs.ofModel(name);
            LoadedConfig loaded = load(next).loaded();
            AgentConfig config = loaded.config();
            ModelSelection selection = new ModelSelection(invocation.environment());
            ModelChoice.Chosen model = selection.model(config);
            ModelSelection.checkBudget(
                    config, selection.withFallbacks(config, model), loaded.origin("limits.budget"));
            ModelSelection.checkDemo(model, next, session());
        });
    }

    /**
     * For people; empty if nothing is wrong. Before the first task it is not known which agents of
     * the workspace count, so that one says it.
     */
    String problemOfAgent(String name) {
        if (runs.model().startsWith(ModelSelection.DEMO)) {
            return ModelSelection.DEMO_IS_FIXED + "it has no other agents. See /model.";
        }
        return runs.hasBegun()
                ? problem(
                        () -> Profile.check(load(runs.ofAgent(name)).loaded().forAgent(name), name))
                : "";
    }

    /** The configuration of the next task; empty if it has a mistake, which the task tells. */
    Optional<LoadedConfig> config() {
        try {
            return Optional.of(load(runs.ofModel(runs.model())).loaded());
        } catch (ConfigException | UsageException | SessionException | IOException e) {
            return Optional.empty();
        }
    }

    private RunPreparation.Alone load(ParseResult next)
            throws UsageException, SessionException, IOException {
        Map<String, List<String>> options = new LinkedHashMap<>(OptionSettings.of(next));
        SavedSession session = session();
        if (session != null) {
            EarlierSession.continueAs(session, options);
        } else if (!runs.workspace().isEmpty()) {
            options.put("workspace", List.of(runs.workspace()));
        }
        return RunPreparation.loadAlone(next, invocation, options);
    }

    /** What the next task goes on with; null for a new session. */
    private @Nullable SavedSession session() throws SessionException {
        return runs.session().isEmpty()
                ? null
                : UndoRun.store(invocation).survey(runs.session(), SessionStore.ALL);
    }

    private static String problem(Check check) {
        try {
            check.run();
            return "";
        } catch (ConfigException e) {
            return e.problems().stream()
                    .map(one -> (one.problem() + "\n  " + one.remedy()).stripTrailing())
                    .collect(Collectors.joining("\n"));
        } catch (UsageException | AuthException | SessionException | IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
