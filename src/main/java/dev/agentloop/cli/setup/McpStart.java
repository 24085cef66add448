package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.terminal.TerminalQuestion;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.McpConfigFile;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.trust.ServerApprovals;
import dev.agentloop.wiring.mcp.McpGate;
import dev.agentloop.wiring.mcp.McpLaunch;
import dev.agentloop.wiring.mcp.McpLogins;
import dev.agentloop.wiring.run.McpServers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** Which MCP servers a command line wants, and their start. */
public final class McpStart {
    private McpStart() {}

    /**
     * What they are started in.
     *
     * @param workspace real path
     * @param seesImages whether the model does
     * @param config of the run that waits for them
     */
    public record Place(
            ProcessRunner processes, Path workspace, boolean seesImages, AgentConfig config) {}

    /** Those of a run; none for the demo, whose model calls what it knows. */
    public static Map<String, McpServerConfig> wanted(
            ParseResult arguments, Invocation invocation, RunPreparation.Prepared prepared) {
        return prepared.model().protocol() == AgentConfig.Protocol.EMBEDDED
                ? Map.of()
                : of(
                        prepared.agent(),
                        prepared.config(),
                        wanted(arguments, invocation, prepared.config()));
    }

    /** Those that an agent gets: none if nothing would hold them to the files it may reach. */
    public static Map<String, McpServerConfig> of(
            String agent, AgentConfig config, Map<String, McpServerConfig> wanted) {
        Optional<AgentProfile> profile = config.agent(agent);
        if (profile.isPresent() && profile.get().reach().isSet()) {
            return Map.of();
        }
        Map<String, McpServerConfig> servers = new LinkedHashMap<>(wanted);
        profile.flatMap(AgentProfile::mcpServers).ifPresent(servers.keySet()::retainAll);
        return servers;
    }

    /** Those of the configuration and of {@code --mcp-config}, which goes before. */
    public static Map<String, McpServerConfig> wanted(
            ParseResult arguments, Invocation invocation, AgentConfig config) {
        if (RunOption.NO_MCP.isGiven(arguments)) {
            return Map.of();
        }
        Map<String, McpServerConfig> wanted = configured(invocation, config);
        for (String file : RunOption.MCP_CONFIG.texts(arguments)) {
            wanted.putAll(McpConfigFile.read(invocation.currentDirectory().resolve(file)));
        }
        return wanted;
    }

    /** Those of the user's and the project's files. */
    static Map<String, McpServerConfig> configured(Invocation invocation, AgentConfig config) {
        Map<String, McpServerConfig> servers =
                new LinkedHashMap<>(
                        McpConfigFile.readOfUser(invocation.environment(), invocation.home()));
        config.mcpServers()
                .forEach((name, server) -> {
                    if (server.source() != McpServerConfig.Source.PROJECT) {
                        servers.put(name, server);
                    } else {
                        servers.putIfAbsent(name, server); // no project changes one of the user's
                    }
                });
        return servers;
    }

    /** Starts those that are wanted; a person may be asked. */
    public static McpServers start(
            Map<String, McpServerConfig> wanted,
            ParseResult arguments,
            Invocation invocation,
            Place place,
            Cancellation interrupts) {
        if (wanted.isEmpty()) {
            return McpServers.NONE;
        }
        McpGate gate =
                new McpGate(
                        approvals(invocation),
                        place.workspace(),
                        asker(invocation),
                        RunOption.ALLOW.texts(arguments));
        return McpLaunch.start(
                wanted,
                new McpLaunch.Parts(
                        place.processes(),
                        place.workspace(),
                        invocation.environment(),
                        Version.text(),
                        place.seesImages(),
                        invocation.secrets(),
                        gate,
                        new McpLogins(trustFolder(invocation), Optional.empty()),
                        place.config()),
                interrupts);
    }

    public static ServerApprovals approvals(Invocation invocation) {
        return new ServerApprovals(trustFolder(invocation));
    }

    /** Where decisions of the person are kept, and what came of them. */
    public static Path trustFolder(Invocation invocation) {
        return invocation.state().resolve("trust");
    }

    static McpGate.Asker asker(Invocation invocation) {
        if (invocation.isHeadless()) {
            return McpGate.Asker.NOBODY;
        }
        TerminalQuestion question = invocation.question();
        return new McpGate.Asker() {
            @Override
            public Optional<Boolean> agrees(String text) throws IOException {
                return Optional.of(question.isAgreed(text));
            }
        };
    }
}
