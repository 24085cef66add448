package dev.agentloop.wiring.mcp;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.mcp.Fingerprint;
import dev.agentloop.mcp.McpServer;
import dev.agentloop.mcp.ServerSurroundings;
import dev.agentloop.mcp.channel.HttpNetwork;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.secret.Secrets;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.model.Authorities;
import dev.agentloop.wiring.run.McpServers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** Starts MCP servers, all at once, and tells of those that did not. */
public final class McpLaunch {
    private static final Executor THREADS = work -> daemon(work).start();

    private final Parts parts;
    private final ServerSurroundings around;
    private final List<String> warnings = new ArrayList<>();

    /**
     * What servers are started with.
     *
     * @param workspace real path
     * @param environment of this program: where tokens are, and what ${NAME} stands for
     * @param version of this program
     * @param secrets learns the tokens
     * @param logins where those are kept, and where a person can log in
     * @param config of the run that waits for them
     */
    public record Parts(
            ProcessRunner processes,
            Path workspace,
            Map<String, String> environment,
            String version,
            boolean seesImages,
            Secrets secrets,
            McpGate gate,
            McpLogins logins,
            AgentConfig config) {}

    private McpLaunch(Parts parts) {
        this.parts = parts;
        this.around = surroundings(parts);
    }

    public static ServerSurroundings surroundings(Parts parts) {
        return new ServerSurroundings(
                parts.processes(),
                parts.workspace(),
                parts.version(),
                parts.seesImages(),
                new HttpNetwork(
                        parts.environment(),
                        () -> Authorities.of(parts.config().llm(), parts.environment())),
                parts.logins().place(parts.secrets()),
                false);
    }

    public static McpGate.Candidate candidate(McpServerConfig config, ServerSpec spec, Parts parts)
            throws IOException {
        return new McpGate.Candidate(
                config,
                Fingerprint.of(spec, McpSpecs.declared(config), parts.workspace()),
                McpSpecs.commandLine(spec) + McpSpecs.sent(config));
    }

    /** Refuses a server that could not be one. */
    public static void check(McpServerConfig config) {
        boolean both = config.command().isPresent() && config.url().isPresent();
        boolean none = config.command().isEmpty() && config.url().isEmpty();
        if (both || none) {
            throw new ConfigException(
                    "mcp_servers." + config.name(),
                    both ? "has a command and a url" : "has neither a command nor a url",
                    "Give it one of them.",
                    "");
        }
    }

    /** Those that may start, ready or given up; empty-handed where there are none. */
    public static McpServers start(
            Map<String, McpServerConfig> configs, Parts parts, Cancellation cancellation) {
        configs.values().forEach(McpLaunch::check);
        return new McpLaunch(parts).start(new TreeMap<>(configs), cancellation);
    }

    private McpServers start(Map<String, McpServerConfig> configs, Cancellation cancellation) {
        Map<McpGate.Candidate, McpServer> servers = new LinkedHashMap<>();
        for (McpServerConfig config : configs.values()) {
            if (config.enabled()) {
                admit(config, servers);
            }
        }
        Map<McpGate.Candidate, CompletableFuture<Optional<String>>> starts = new LinkedHashMap<>();
        servers.forEach((candidate, server) ->
                starts.put(
                        candidate,
                        CompletableFuture.supplyAsync(
                                () -> begin(candidate, server, cancellation), THREADS)));
        List<McpServer> ready = new ArrayList<>();
        List<Tool<?>> tools = new ArrayList<>();
        starts.forEach((candidate, start) -> {
            McpServer server = servers.get(candidate);
            Optional<String> trouble = start.join();
            if (trouble.isEmpty() && server != null) {
                trouble = approved(candidate, server);
                ready.add(server);
                if (trouble.isEmpty()) {
                    offer(candidate, server, tools);
                }
            }
            trouble.ifPresent(why -> warn(candidate.name(), why));
        });
        return new McpServers(tools, warnings, () -> closeAll(ready));
    }

    /** Two servers may have names that are the same for a model; the first one keeps them. */
    private void offer(McpGate.Candidate candidate, McpServer server, List<Tool<?>> tools) {
        server.leftOut().forEach(what -> warn(candidate.name(), "left out " + shown(what)));
        Set<String> taken =
                tools.stream().map(tool -> tool.spec().name()).collect(Collectors.toSet());
        for (Tool<?> tool : server.tools()) {
            if (taken.add(tool.spec().name())) {
                tools.add(tool);
            } else {
                warn(candidate.name(), "left out a tool, its name is taken: " + tool.spec().name());
            }
        }
    }

    /** Each at the same time: one that does not end by itself must not hold up the others. */
    private static void closeAll(List<McpServer> servers) {
        CompletableFuture.allOf(
                        servers.stream()
                                .map(server -> CompletableFuture.runAsync(server::close, THREADS))
                                .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    private void admit(McpServerConfig config, Map<McpGate.Candidate, McpServer> servers) {
        try {
            ServerSpec spec = new McpSpecs(parts).of(config);
            McpGate.Candidate candidate = candidate(config, spec, parts);
            if (parts.gate().isNew(candidate)) {
                McpSpecs.doubts(config).forEach(doubt -> warn(config.name(), doubt));
            }
            Optional<String> refusal = parts.gate().beforeStart(candidate);
            if (refusal.isPresent()) {
                warn(config.name(), "not started: " + refusal.get());
            } else {
                servers.put(candidate, new McpServer(spec, around));
            }
        } catch (McpException e) {
            warn(config.name(), "not started: " + e.problem());
        } catch (IOException e) {
            warn(config.name(), "not started: " + e.getMessage());
        }
    }

    private Optional<String> begin(
            McpGate.Candidate candidate, McpServer server, Cancellation cancellation) {
        Duration own = candidate.config().startTimeout();
        Duration limit =
                parts.config()
                        .limits()
                        .timeout()
                        .filter(most -> most.compareTo(own) < 0)
                        .orElse(own);
        try {
            server.start(limit, cancellation);
            return Optional.empty();
        } catch (McpException e) {
            return Optional.of("not available: " + e.problem());
        } catch (RuntimeException e) { // one server must not end the run
            return Optional.of("not available, internal error: " + e);
        }
    }

    private Optional<String> approved(McpGate.Candidate candidate, McpServer server) {
        try {
            return parts.gate()
                    .afterStart(candidate, server.digests())
                    .map(why -> "not used: " + why);
        } catch (IOException e) {
            return Optional.of("not used, its approval cannot be kept: " + e.getMessage());
        }
    }

    private void warn(String server, String what) {
        warnings.add("MCP server " + server + ": " + what);
    }

    /** All of a text for a terminal; each character that could deceive as its number. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars()
                .forEach(c ->
                        shown.append(
                                c >= ' ' && c <= '~'
                                        ? String.valueOf((char) c)
                                        : "\\u%04x".formatted(c)));
        return shown.toString();
    }

    /** A name of a server's for a terminal. */
    public static String plain(String name) {
        String safe = shown(name);
        return safe.length() <= 64 ? safe : safe.substring(0, 63) + "…";
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "mcp start");
        thread.setDaemon(true);
        return thread;
    }
}
