package dev.agentloop.cli.resume;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Finds the session that a command line goes on with. */
public record EarlierSession(ParseResult arguments, Invocation invocation, SessionStore store) {
    private static final String ID = "0[0-9A-Z]{5,25}"; // or as much of it as names a session

    /** Null for a new session. */
    @Nullable
    public SavedSession find(SessionChoice choice, SessionWishes wishes)
            throws SessionException, UsageException {
        return switch (choice) {
            case SessionChoice.Fresh _ -> null;
            case SessionChoice.Missing _ ->
                    throw new UsageException(
                            "Which session? Give its ID (agent sessions list --all) or --last.");
            case SessionChoice.Contradiction(String problem) -> throw new UsageException(problem);
            case SessionChoice.ById(String id, boolean first) -> {
                checkFirstWord(first ? "" : "--session " + id);
                yield wishes.read(store, id);
            }
            case SessionChoice.NextRun(String id) -> wishes.read(store, id);
            case SessionChoice.ToCompact(String id, boolean _) ->
                    readableTo(RunOption.MODEL.text(arguments), wishes.read(store, id));
            case SessionChoice.Last _ -> {
                boolean last = arguments.hasMatchedOption("--last");
                checkFirstWord(last ? "--last" : "--continue");
                yield wishes.read(store, last());
            }
        };
    }

    /**
     * Another model could not sum up what only the provider of the last one can read; and where one
     * has not answered yet, nobody would know for whom the summary is.
     */
    private static SavedSession readableTo(String model, SavedSession session)
            throws UsageException {
        String its = session.summary().model();
        if (model.isEmpty() || model.equals(its) || session.speaker().isEmpty()) {
            return session;
        }
        if (!session.speaker().equals(its)) {
            throw new UsageException(
                    "the session is to go on with "
                            + its
                            + ", which has not answered yet, so that "
                            + model
                            + " cannot sum it up: give it a task first.");
        }
        if (session.sealed()) {
            throw new UsageException(
                    "the server of "
                            + its
                            + " has summed up the beginning of this session, and nobody else can"
                            + " read that: let this model sum it up, or give "
                            + model
                            + " a task first.");
        }
        return session;
    }

    /**
     * An id where the task should begin was meant as the session.
     *
     * @param chosen how another session was chosen; empty if it was not
     */
    private void checkFirstWord(String chosen) throws UsageException {
        List<String> words = Specs.positional(arguments);
        String word = words.isEmpty() ? "" : words.getFirst().strip().toUpperCase(Locale.ROOT);
        if (chosen.isEmpty() || !word.matches(ID)) {
            return;
        }
        List<String> meant =
                store.list().stream()
                        .map(SessionSummary::id)
                        .filter(id -> id.startsWith(word))
                        .toList();
        if (meant.size() == 1) {
            throw new UsageException(
                    words.getFirst()
                            + " is a session, and "
                            + chosen
                            + " chooses one as well. Write agent resume "
                            + words.getFirst()
                            + (words.size() > 1 ? " and the task" : "")
                            + " for that session, or leave the id out.");
        }
    }

    private String last() throws SessionException, UsageException {
        Path here = workspace();
        return store.last(here)
                .orElseThrow(() ->
                        new SessionException(
                                "There is no session of the workspace "
                                        + here
                                        + " yet; agent sessions list --all shows those of other"
                                        + " folders."));
    }

    private Path workspace() throws UsageException {
        Path folder =
                RunOption.CWD.isGiven(arguments)
                        ? invocation.currentDirectory().resolve(RunOption.CWD.text(arguments))
                        : invocation.currentDirectory();
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            throw new UsageException("The workspace " + folder + " does not exist.");
        }
    }

    /**
     * Model, server, caps and folder stay what they were, unless this command line says otherwise.
     *
     * @return whether only the session names the server or the variable with its key
     */
    public static boolean continueAs(SavedSession earlier, Map<String, List<String>> options) {
        SessionCaps.keep(earlier, options);
        options.putIfAbsent("llm.model", List.of(earlier.summary().model()));
        options.putIfAbsent("workspace", List.of(earlier.summary().workspace()));
        JournalRecord.Routed route = earlier.route(options.get("llm.model").getFirst());
        String url = route.baseUrl();
        boolean there = options.getOrDefault("llm.base_url", List.of(url)).contains(url);
        int said = options.size();
        if (there && !url.isEmpty()) {
            options.putIfAbsent("llm.base_url", List.of(url));
        }
        if (there && !route.apiKeyEnv().isEmpty()) { // the key is for that server alone
            options.putIfAbsent("llm.api_key_env", List.of(route.apiKeyEnv()));
        }
        return options.size() > said;
    }
}
