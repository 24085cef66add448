package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.McpConfigFile;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The user's file of MCP servers, as other programs have it; what else is in it stays. */
final class McpFile {
    private static final String SERVERS = "mcpServers";

    private final Invocation invocation;
    private final Path path;
    private final PrivateFile file;

    McpFile(Invocation invocation) {
        this.invocation = invocation;
        this.path = McpConfigFile.ofUser(invocation.environment(), invocation.home());
        this.file =
                new PrivateFile(
                        Objects.requireNonNull(path.getParent()),
                        String.valueOf(path.getFileName()));
    }

    /**
     * Adds a server.
     *
     * @param words its program and arguments, or its address
     */
    int add(String name, List<String> words, Map<String, String> variables, String tokenEnv)
            throws IOException, UsageException {
        if (!name.matches("[A-Za-z0-9_.-]{1,40}")) {
            throw new UsageException(
                    "%s is no name for a server: letters, digits, dots, dashes and underscores, at most 40."
                            .formatted(name));
        }
        Map<String, Object> server = new LinkedHashMap<>();
        if (words.getFirst().matches("(?i)https?://.+")) {
            server.put("url", address(words));
            if (!tokenEnv.isEmpty()) {
                server.put("token_env", tokenEnv);
            }
        } else if (words.getFirst().matches("(?i)\\s*[a-z][a-z0-9+.-]+:.*")) {
            throw new UsageException(
                    SafeText.line(words.getFirst())
                            + ": a server is reached by http:// or https://, or it is a program"
                            + " (write ./ before a name with a colon).");
        } else {
            server.put("command", words.getFirst());
            server.put("args", words.subList(1, words.size()));
        }
        if (!variables.isEmpty()) {
            server.put("env", variables);
        }
        change(servers -> {
            if (servers.containsKey(name)) {
                throw new UsageException(
                        "there is a server " + name + " in " + path + "; remove it first.");
            }
            servers.put(name, server);
        });
        invocation.streams().print("added " + name + " to " + path + "\n");
        return ExitCode.SUCCESS.code();
    }

    private static String address(List<String> words) throws UsageException {
        if (words.size() > 1) {
            throw new UsageException("a server with an address has no arguments.");
        }
        try {
            return URI.create(words.getFirst()).toString();
        } catch (IllegalArgumentException e) {
            throw new UsageException(words.getFirst() + " is no address.");
        }
    }

    int remove(String name) throws IOException, UsageException {
        change(servers -> {
            if (servers.remove(name) == null) {
                throw new UsageException(
                        "there is no server %s in %s; what config.yaml says of servers is for you to edit."
                                .formatted(name, path));
            }
        });
        invocation.streams().print("removed " + name + " from " + path + "\n");
        return ExitCode.SUCCESS.code();
    }

    private interface Change {
        void to(Map<String, @Nullable Object> servers) throws UsageException;
    }

    private void change(Change change) throws IOException, UsageException {
        List<UsageException> refusals = new ArrayList<>();
        file.change(() -> {
            String before = file.read();
            Map<String, @Nullable Object> all = fields(parsed(before));
            Map<String, @Nullable Object> servers = fields(new JsonValue(all.get(SERVERS)));
            try {
                change.to(servers);
            } catch (UsageException e) {
                refusals.add(e);
                return before.isEmpty() ? "{\"" + SERVERS + "\": {}}\n" : before;
            }
            all.put(SERVERS, servers);
            return Json.text(new JsonValue(all)::writeTo) + "\n";
        });
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
    }

    private JsonValue parsed(String text) throws IOException {
        try {
            return text.isBlank() ? new JsonValue(null) : Json.parse(text);
        } catch (JsonException e) {
            throw new IOException(path + " is not JSON: " + e.getMessage(), e);
        }
    }

    private static Map<String, @Nullable Object> fields(JsonValue object) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        object.keys().forEach(key -> fields.put(key, object.at(key).raw()));
        return fields;
    }
}
