package dev.agentloop.config;

import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ConfigFiles;
import dev.agentloop.config.source.GivenFile;
import dev.agentloop.config.source.Origin;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of MCP servers as other programs have it: {@code {"mcpServers": {NAME: {"command": …}}}}.
 * What such files say besides is left out.
 */
public final class McpConfigFile {
    private static final String OPTION = "--mcp-config";
    private static final int MAX_BYTES = 1_000_000;
    private static final int MAX_SECONDS = 600; // others count milliseconds, which is more
    private static final String FORM = "Write {\"mcpServers\": {\"NAME\": {\"command\": \"…\"}}}.";

    private final Path file;
    private final McpServerConfig.Source source;

    private McpConfigFile(Path file, McpServerConfig.Source source) {
        this.file = file;
        this.source = source;
    }

    /**
     * The servers of a file that the command line names, by name.
     *
     * @throws ConfigException if it cannot be read or understood
     */
    public static Map<String, McpServerConfig> read(Path file) {
        return new McpConfigFile(file, McpServerConfig.Source.COMMAND_LINE).servers();
    }

    /** Where the servers of the user are that were added by a command. */
    public static Path ofUser(Map<String, String> environment, Path home) {
        return ConfigFiles.user(environment, home).resolveSibling("mcp.json");
    }

    /**
     * The servers of the user's own file; none if it is not there.
     *
     * @throws ConfigException if it cannot be read or understood, or belongs to somebody else
     */
    public static Map<String, McpServerConfig> readOfUser(
            Map<String, String> environment, Path home) {
        Path file = ofUser(environment, home);
        return ConfigFiles.read(Origin.Kind.USER_FILE, file, new ArrayList<>())
                .map(_ -> new McpConfigFile(file, McpServerConfig.Source.USER).servers())
                .orElse(Map.of());
    }

    private Map<String, McpServerConfig> servers() {
        JsonValue all = parse().at("mcpServers");
        if (!all.isObject()) {
            throw bad("has no \"mcpServers\"");
        }
        Map<String, McpServerConfig> servers = new LinkedHashMap<>();
        for (String name : all.keys()) {
            servers.put(name, server(name, all.at(name)));
        }
        return servers;
    }

    private JsonValue parse() {
        try {
            byte[] content = GivenFile.read(file, MAX_BYTES);
            if (content.length > MAX_BYTES) {
                throw bad("is larger than 1 MB");
            }
            return Json.parse(content);
        } catch (IOException e) {
            throw bad("cannot be read: " + e.getMessage());
        } catch (JsonException e) {
            throw bad("is not JSON: " + e.getMessage());
        }
    }

    private McpServerConfig server(String name, JsonValue server) {
        boolean off = server.at("disabled").isTrue() || isFalse(server.at("enabled"));
        return new McpServerConfig(
                name,
                text(name, server, "command"),
                texts(name, server, "args"),
                map(name, server, "env"),
                text(name, server, "url").map(url -> url(name, url)),
                map(name, server, "headers"),
                text(name, server, "token_env"),
                text(name, server, "client_id"),
                text(name, server, "client_secret_env"),
                texts(name, server, "tools"),
                seconds(server, "timeout", McpServerConfig.CALL),
                seconds(server, "start_timeout", McpServerConfig.START),
                !off,
                source);
    }

    private static Duration seconds(JsonValue server, String key, Duration otherwise) {
        long seconds = server.at(key).asLong();
        return seconds > 0 && seconds <= MAX_SECONDS ? Duration.ofSeconds(seconds) : otherwise;
    }

    private static boolean isFalse(JsonValue value) {
        return Boolean.FALSE.equals(value.raw());
    }

    private URI url(String name, String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw bad("has an address for " + name + " that is none: " + text);
        }
    }

    private Optional<String> text(String name, JsonValue server, String key) {
        JsonValue value = server.at(key);
        if (!value.isNull() && !value.isText()) {
            throw bad("has a \"%s\" of %s that is no text".formatted(key, name));
        }
        return Optional.of(value.text()).filter(text -> !text.isEmpty());
    }

    private List<String> texts(String name, JsonValue server, String key) {
        JsonValue list = server.at(key);
        List<String> texts = new ArrayList<>();
        for (JsonValue item : list.items()) {
            if (!item.isText()) {
                throw bad("has an entry of \"%s\" of %s that is no text".formatted(key, name));
            }
            texts.add(item.text());
        }
        if (!list.isNull() && !list.isArray()) {
            throw bad("has a \"%s\" of %s that is no list".formatted(key, name));
        }
        return texts;
    }

    private Map<String, String> map(String name, JsonValue server, String key) {
        Map<String, String> map = new LinkedHashMap<>();
        JsonValue object = server.at(key);
        for (String each : object.keys()) {
            map.put(each, text(name + "." + key, object, each).orElse(""));
        }
        return map;
    }

    private ConfigException bad(String problem) {
        boolean named = source == McpServerConfig.Source.COMMAND_LINE;
        return named
                ? new ConfigException(OPTION, file + " " + problem, FORM, OPTION)
                : new ConfigException("", problem, FORM, file.toString());
    }
}
