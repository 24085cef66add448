package dev.agentloop.mcp;

import dev.agentloop.process.ProcessRunner;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What servers are placed into.
 *
 * @param processes starts those that are programs, and sees to their end
 * @param workspace where they work
 * @param version of this program
 * @param seesImages whether the model does
 */
public record ServerSurroundings(
        ProcessRunner processes, Path workspace, String version, boolean seesImages) {

    Optional<Elicitor> elicitor() {
        return Optional.empty();
    }

    Channel channel(ServerSpec spec) {
        return switch (spec.way()) {
            case ServerSpec.Program program -> new StdioChannel(program, processes, workspace);
            case ServerSpec.Remote _ -> throw new IllegalStateException("not yet");
        };
    }
}
