package dev.agentloop.wiring.mcp;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns what a configuration says of an MCP server into what is started or called. */
public final class McpSpecs {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "fish");
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "uvx", "pipx");

    private final McpLaunch.Parts parts;

    public McpSpecs(McpLaunch.Parts parts) {
        this.parts = parts;
    }

    /** The server with its program found and its variables filled in. */
    public ServerSpec of(McpServerConfig config) throws McpException {
        ServerSpec.Way way =
                config.command().isPresent()
                        ? program(config, config.command().get())
                        : new ServerSpec.Remote(
                                config.url().orElseThrow(),
                                filled(config, config.headers()),
                                secret(config, config.tokenEnv()),
                                client(config),
                                config.source() != McpServerConfig.Source.PROJECT);
        return new ServerSpec(config.name(), way, config.tools(), config.timeout());
    }

    private ServerSpec.Program program(McpServerConfig config, String command) throws McpException {
        List<String> argv = new ArrayList<>();
        if (command.contains("/")) {
            argv.add(parts.workspace().resolve(command).normalize().toString());
        } else {
            Optional<Path> found =
                    parts.processes().environment().program(command, parts.workspace());
            argv.add(
                    found.orElseThrow(() ->
                                    new McpException("there is no program " + command + " on PATH"))
                            .toString());
        }
        argv.addAll(config.args());
        return new ServerSpec.Program(argv, filled(config, config.env()));
    }

    private ServerSpec.Client client(McpServerConfig config) throws McpException {
        return new ServerSpec.Client(
                config.clientId().orElse(""), secret(config, config.clientSecretEnv()).orElse(""));
    }

    private Optional<String> secret(McpServerConfig config, Optional<String> variable)
            throws McpException {
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        String name = variable.get();
        checkMayHave(config, name);
        String value = parts.environment().getOrDefault(name, "").strip();
        if (value.isEmpty()) {
            throw new McpException("the variable " + name + " that it needs is not set");
        }
        parts.secrets().add(name, value);
        return Optional.of(value);
    }

    /** The keys of models are for their providers, whatever a project thinks of that. */
    private void checkMayHave(McpServerConfig config, String variable) throws McpException {
        if (config.source() == McpServerConfig.Source.PROJECT && isKey(variable)) {
            throw new McpException(
                    "the project wants it to have the variable "
                            + variable
                            + ", which holds the key of a provider of models");
        }
    }

    private boolean isKey(String variable) {
        AgentConfig all = parts.config();
        Set<String> keys = new TreeSet<>();
        all.llm().apiKeyEnv().ifPresent(keys::add);
        all.providers().values().forEach(one -> one.apiKeyEnv().ifPresent(keys::add));
        ModelCatalog usual = ModelCatalog.of(Map.of());
        for (String name : usual.providers()) {
            usual.provider(name).flatMap(ModelCatalog.Provider::apiKeyEnv).ifPresent(keys::add);
        }
        return keys.contains(variable);
    }

    /** What the configuration says of values, with variables of the user's by their names. */
    static Map<String, String> declared(McpServerConfig config) {
        Map<String, String> declared = new TreeMap<>();
        config.env().forEach((name, value) -> declared.put("env." + name, value));
        config.headers().forEach((name, value) -> declared.put("headers." + name, value));
        declared.put("token_env", config.tokenEnv().orElse(""));
        declared.put("client_secret_env", config.clientSecretEnv().orElse(""));
        return declared;
    }

    /** For people: the variables of theirs that the server gets to know; empty for none. */
    static String sent(McpServerConfig config) {
        Set<String> names = new TreeSet<>();
        config.tokenEnv().ifPresent(names::add);
        config.clientSecretEnv().ifPresent(names::add);
        for (Map<String, String> values : List.of(config.env(), config.headers())) {
            values.values()
                    .forEach(value ->
                            VARIABLE.matcher(value)
                                    .results()
                                    .forEach(found -> names.add(found.group(1))));
        }
        return names.isEmpty()
                ? ""
                : "  sends $" + McpLaunch.shown(String.join(", $", names)) + "\n";
    }

    /** Values with what ${NAME} and ${NAME:-otherwise} stand for. */
    private Map<String, String> filled(McpServerConfig config, Map<String, String> values)
            throws McpException {
        Map<String, String> filled = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : values.entrySet()) {
            Matcher matcher = VARIABLE.matcher(entry.getValue());
            StringBuilder text = new StringBuilder();
            while (matcher.find()) {
                checkMayHave(config, matcher.group(1));
                matcher.appendReplacement(
                        text, Matcher.quoteReplacement(value(entry.getKey(), matcher)));
            }
            filled.put(entry.getKey(), matcher.appendTail(text).toString());
        }
        return filled;
    }

    private String value(String user, Matcher matcher) throws McpException {
        String value = parts.environment().get(matcher.group(1));
        if (value != null) {
            return value;
        }
        String otherwise = matcher.group(2);
        if (otherwise == null) {
            throw new McpException(
                    "the variable %s, for its %s, is not set".formatted(matcher.group(1), user));
        }
        return otherwise;
    }

    /** For people: each word of the command line on its own, and names of variables. */
    static String commandLine(ServerSpec spec) {
        StringBuilder text = new StringBuilder();
        switch (spec.way()) {
            case ServerSpec.Program(var argv, var environment) -> {
                argv.forEach(word -> text.append("  ").append(McpLaunch.shown(word)).append('\n'));
                if (!environment.isEmpty()) {
                    List<String> names = List.copyOf(new TreeMap<>(environment).keySet());
                    text.append("  with ").append(String.join(", ", names)).append('\n');
                }
            }
            case ServerSpec.Remote(var url, var _, var _, var _, var _) ->
                    text.append("  ").append(McpLaunch.shown(url.toString())).append('\n');
        }
        return text.toString();
    }

    /** What speaks against how it is configured, though it is started. */
    static List<String> doubts(McpServerConfig config) {
        List<String> doubts = new ArrayList<>();
        String command = config.command().orElse("");
        String program = command.substring(command.lastIndexOf('/') + 1);
        if (command.contains("/") && !command.startsWith("/")) {
            doubts.add(
                    command
                            + " is a file of whatever workspace it is started in; write an absolute"
                            + " path");
        }
        if (SHELLS.contains(program) && config.args().stream().anyMatch("-c"::equals)) {
            doubts.add(
                    "it is a shell line, which nobody checks; write the program and its arguments");
        }
        if (RUNNERS.contains(program)) {
            String wanted = packageOf(config.args());
            if (!isPinned(wanted)) {
                doubts.add(
                        "%s runs whatever version of %s is the newest; write %s@VERSION"
                                .formatted(program, wanted, wanted));
            }
        }
        return doubts;
    }

    private static String packageOf(List<String> args) {
        return args.stream()
                .filter(word -> !word.startsWith("-") && !word.equals("run"))
                .findFirst()
                .orElse("it");
    }

    private static boolean isPinned(String wanted) {
        int at = wanted.indexOf('@', 1);
        boolean version = at > 0 && !wanted.substring(at + 1).equals("latest");
        return version || wanted.contains("==");
    }
}
