package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.McpStart;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.ParseResult;

/** The MCP servers that are configured. Nothing is started for it and nobody is asked. */
final class McpList {
    private final ParseResult arguments;
    private final Invocation invocation;

    McpList(ParseResult arguments, Invocation invocation) {
        this.arguments = arguments;
        this.invocation = invocation;
    }

    int print(boolean json) throws IOException, UsageException {
        RunPreparation.Alone found = RunPreparation.loadForTools(arguments, invocation);
        for (String warning : found.loaded().warnings()) {
            invocation.streams().printError(warning + "\n");
        }
        Map<String, McpServerConfig> servers =
                new TreeMap<>(McpStart.wanted(arguments, invocation, found.loaded().config()));
        invocation.streams().print(json ? object(servers) : lines(servers));
        return ExitCode.SUCCESS.code();
    }

    private static String object(Map<String, McpServerConfig> servers) {
        List<Object> entries = new ArrayList<>();
        for (McpServerConfig server : servers.values()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", server.name());
            server.command()
                    .ifPresent(command -> {
                        entry.put("command", command);
                        entry.put("args", server.args());
                    });
            server.url().ifPresent(_ -> entry.put("url", address(server)));
            entry.put("env", List.copyOf(new TreeSet<>(server.env().keySet())));
            entry.put("headers", List.copyOf(new TreeSet<>(server.headers().keySet())));
            server.tokenEnv().ifPresent(name -> entry.put("token_env", name));
            entry.put("tools", server.tools());
            entry.put("enabled", server.enabled());
            entry.put("source", source(server));
            entries.add(entry);
        }
        return Json.text(new JsonValue(Map.of("servers", entries))::writeTo) + "\n";
    }

    private static String lines(Map<String, McpServerConfig> servers) {
        StringBuilder lines = new StringBuilder();
        for (McpServerConfig server : servers.values()) {
            lines.append(server.name()).append("  [").append(source(server));
            lines.append(server.enabled() ? "]  " : ", off]  ").append(how(server)).append('\n');
        }
        return lines.isEmpty()
                ? "No MCP server is configured; agent mcp add adds one.\n"
                : lines.toString();
    }

    private static String how(McpServerConfig server) {
        if (server.command().isEmpty()) {
            return SafeText.line(address(server));
        }
        List<String> words = new ArrayList<>(List.of(server.command().get()));
        words.addAll(server.args());
        return SafeText.line(String.join(" ", words));
    }

    /** A query may hold a key. */
    private static String address(McpServerConfig server) {
        return server.url().map(url -> url.toString().replaceAll("[?#].*", "")).orElse("");
    }

    private static String source(McpServerConfig server) {
        return server.source().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
