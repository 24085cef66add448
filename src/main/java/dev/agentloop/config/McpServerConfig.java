package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An MCP server. Whether it makes sense, with a program or an address, is for whoever starts it.
 *
 * @param command program, or empty for a server with an address
 * @param env the only variables that the program gets besides harmless ones
 * @param tokenEnv variable with a bearer token
 * @param clientId to an authorization server, if it does not register clients
 * @param clientSecretEnv variable with the secret that goes with it
 * @param tools globs for names of tools that are offered; none: all
 * @param source who configured it
 */
public record McpServerConfig(
        String name,
        Optional<String> command,
        List<String> args,
        Map<String, String> env,
        Optional<URI> url,
        Map<String, String> headers,
        Optional<String> tokenEnv,
        Optional<String> clientId,
        Optional<String> clientSecretEnv,
        List<String> tools,
        Duration timeout,
        Duration startTimeout,
        boolean enabled,
        Source source) {
    static final Duration CALL = Duration.ofSeconds(60);
    static final Duration START = Duration.ofSeconds(10);

    public McpServerConfig {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        headers = Map.copyOf(headers);
        tools = List.copyOf(tools);
    }

    /** Who configured a server. */
    public enum Source {
        USER,
        /** A file that this command line names. */
        COMMAND_LINE,
        /** The workspace's own configuration, even in part. */
        PROJECT
    }

    /**
     * A server that a command line names by its address.
     *
     * @param tokenEnv variable with a bearer token, or empty
     * @param clientId or empty
     * @param clientSecretEnv or empty
     */
    public static McpServerConfig at(
            URI url, String tokenEnv, String clientId, String clientSecretEnv) {
        return new McpServerConfig(
                String.valueOf(url.getHost()),
                Optional.empty(),
                List.of(),
                Map.of(),
                Optional.of(url),
                Map.of(),
                given(tokenEnv),
                given(clientId),
                given(clientSecretEnv),
                List.of(),
                CALL,
                START,
                true,
                Source.COMMAND_LINE);
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(value -> !value.isEmpty());
    }

    /** All servers of a configuration, by name, and in the order of their names. */
    static Map<String, McpServerConfig> all(Settings settings) {
        Map<String, McpServerConfig> servers = new LinkedHashMap<>();
        KeyPath section = KeyPath.of("mcp_servers");
        for (String name : settings.namesBelow(section)) {
            if (isSet(settings, name)) {
                servers.put(name, of(name, settings, section.then(name)));
            }
        }
        return Collections.unmodifiableMap(servers);
    }

    private static McpServerConfig of(String name, Settings settings, KeyPath at) {
        return new McpServerConfig(
                name,
                text(settings, at.then("command")),
                texts(settings, at.then("args")),
                map(settings, at.then("env")),
                text(settings, at.then("url")).map(URI::create),
                map(settings, at.then("headers")),
                text(settings, at.then("token_env")),
                text(settings, at.then("client_id")),
                text(settings, at.then("client_secret_env")),
                texts(settings, at.then("tools")),
                settings.value(at.then("timeout")).map(Duration.class::cast).orElse(CALL),
                settings.value(at.then("start_timeout")).map(Duration.class::cast).orElse(START),
                settings.value(at.then("enabled")).map(Boolean.class::cast).orElse(true),
                source(settings, at));
    }

    /** A name with nothing but nulls below it is as if nobody had set it. */
    private static boolean isSet(Settings settings, String name) {
        return settings.section("mcp_servers").entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey().part(1).equals(name) && entry.getValue().value() != null);
    }

    /** What a project says of a server makes it the project's. */
    private static Source source(Settings settings, KeyPath at) {
        Source source = Source.USER;
        for (var entry : settings.section(at.part(0)).entrySet()) {
            if (!entry.getKey().part(1).equals(at.part(1))) {
                continue;
            }
            Origin.Kind kind = entry.getValue().origin().kind();
            if (kind == Origin.Kind.PROJECT_FILE) {
                return Source.PROJECT;
            }
            source = kind == Origin.Kind.CONFIG_FILE ? Source.COMMAND_LINE : source;
        }
        return source;
    }

    private static Optional<String> text(Settings settings, KeyPath path) {
        return settings.value(path).map(String.class::cast);
    }

    private static List<String> texts(Settings settings, KeyPath path) {
        return settings.value(path)
                .map(list -> ((List<?>) list).stream().map(String.class::cast).toList())
                .orElse(List.of());
    }

    private static Map<String, String> map(Settings settings, KeyPath at) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String name : settings.namesBelow(at)) {
            text(settings, at.then(name)).ifPresent(value -> map.put(name, value));
        }
        return map;
    }
}
