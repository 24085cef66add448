package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.wiring.Agents;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a person may name on a command line or in a chat, under one configuration. */
public final class KnownNames {
    private KnownNames() {}

    /** As {@code provider/model}. */
    public static Stream<String> models(AgentConfig config) {
        return ModelCatalog.of(config.providers()).models().stream()
                .map(entry -> entry.info().id());
    }

    /** Agents for {@code --agent}. */
    public static Stream<String> agents(AgentConfig config) {
        return Agents.names(config).stream();
    }

    /** The sessions of a workspace, the newest first; none if they cannot be read. */
    public static List<SessionSummary> sessions(Invocation invocation, Path workspace) {
        try {
            String here = workspace.toRealPath().toString();
            return Sessions.store(invocation.sessions(), null).list().stream()
                    .filter(session -> session.workspace().equals(here))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
