package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.ProviderKeys;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.setup.McpStart;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.wiring.McpProbe;
import dev.agentloop.wiring.mcp.McpGate;
import dev.agentloop.wiring.mcp.McpLaunch;
import dev.agentloop.wiring.mcp.McpLogins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** One MCP server, tried out or approved. Naming it here is the person's word that it may start. */
final class McpTrial {
    private final ParseResult arguments;
    private final Invocation invocation;
    private final Cancellation interrupts = new Cancellation();

    McpTrial(ParseResult arguments, Invocation invocation) {
        this.arguments = arguments;
        this.invocation = invocation;
    }

    /** Prints one line of JSON for each step; exit code 1 if one of them failed. */
    int probe(String server, Map<String, JsonValue> calls) throws IOException, UsageException {
        return with(
                server,
                probe ->
                        probe.probe(
                                        calls,
                                        Specs.has(arguments, "--accept-forms"),
                                        this::print,
                                        interrupts)
                                ? ExitCode.SUCCESS
                                : ExitCode.FAILED);
    }

    int approve(String server) throws IOException, UsageException {
        return with(
                server,
                probe -> {
                    McpProbe.Approved approved = probe.approve(interrupts);
                    if (approved.problem().isEmpty()) {
                        invocation
                                .streams()
                                .print(
                                        "approved "
                                                + server
                                                + ":\n"
                                                + SafeText.exact(approved.description()));
                        return ExitCode.SUCCESS;
                    }
                    invocation
                            .streams()
                            .printError("agent: " + server + ": " + approved.problem() + "\n");
                    return ExitCode.FAILED;
                });
    }

    private interface Work {
        ExitCode with(McpProbe probe) throws IOException;
    }

    private int with(String server, Work work) throws IOException, UsageException {
        RunPreparation.Alone found = RunPreparation.loadForTools(arguments, invocation);
        AgentConfig config = found.loaded().config();
        ProviderKeys.tell(invocation.secrets(), invocation.environment(), config);
        ProcessRunner processes =
                new ProcessRunner(
                        ProviderKeys.withheld(invocation.environment(), config), List.of());
        if (invocation.ownsProcess()) {
            Signals.endAtOnce(interrupts, invocation.streams(), processes::killAll);
        }
        Path workspace = config.workspace().toRealPath();
        McpGate gate =
                new McpGate(
                        McpStart.approvals(invocation), workspace, McpGate.Asker.NOBODY, List.of());
        try {
            McpProbe probe =
                    new McpProbe(
                            wanted(server, config),
                            new McpLaunch.Parts(
                                    processes,
                                    workspace,
                                    invocation.environment(),
                                    Version.text(),
                                    true,
                                    invocation.secrets(),
                                    gate,
                                    logins(processes, workspace),
                                    config));
            return work.with(probe).code();
        } finally {
            processes.killAll();
        }
    }

    /** A person logs in at a terminal, or in the program that the variable BROWSER names. */
    private McpLogins logins(ProcessRunner processes, Path workspace) {
        String browser = invocation.variable("BROWSER");
        Path folder = McpStart.trustFolder(invocation);
        if (browser.isBlank() && invocation.isHeadless()) {
            return new McpLogins(folder, Optional.empty());
        }
        return new McpLogins(
                folder,
                Optional.of(url -> {
                    invocation.streams().printError("Log in: " + SafeText.line(url) + "\n");
                    if (!browser.isBlank()) {
                        List<String> argv = new ArrayList<>(List.of(browser.strip().split("\\s+")));
                        argv.add(url);
                        processes.talk(argv, workspace, Map.of());
                    }
                }));
    }

    private McpServerConfig wanted(String server, AgentConfig config) throws UsageException {
        if (server.matches("(?i)https?://.*")) {
            try {
                return McpServerConfig.at(
                        URI.create(server),
                        Specs.text(arguments, "--token-env"),
                        Specs.text(arguments, "--client-id"),
                        Specs.text(arguments, "--client-secret-env"));
            } catch (IllegalArgumentException e) {
                throw new UsageException(server + " is no address.");
            }
        }
        McpServerConfig found = McpStart.wanted(arguments, invocation, config).get(server);
        if (found == null) {
            throw new UsageException(
                    "there is no MCP server %s; agent mcp list shows those that are configured."
                            .formatted(server));
        }
        return found;
    }

    private void print(Map<String, @Nullable Object> line) {
        try {
            invocation.streams().print(Json.text(new JsonValue(line)::writeTo) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
