package dev.agentloop.cli;

import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Finds the session that a command line goes on with. */
record EarlierSession(ParseResult arguments, Invocation invocation, SessionStore store) {
    /** Null for a new session. */
    @Nullable SavedSession find(SessionChoice choice, SessionWishes wishes)
            throws SessionException, UsageException {
        return switch (choice) {
            case SessionChoice.Fresh _ -> null;
            case SessionChoice.Missing _ ->
                    throw new UsageException(
                            "Which session? Give its ID (agent sessions list --all) or --last.");
            case SessionChoice.ById(String id, boolean _) -> wishes.read(store, id);
            case SessionChoice.NextRun(String id) -> wishes.read(store, id);
            case SessionChoice.ToCompact(String id) -> wishes.read(store, id);
            case SessionChoice.Last _ -> wishes.read(store, last());
        };
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
}
