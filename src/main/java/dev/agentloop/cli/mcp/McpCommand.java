package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent mcp list|add|remove|approve|probe|serve}: servers of a run, or being one. */
public final class McpCommand implements Command {
    private static final String USAGE =
            "write agent mcp list, agent mcp add NAME -- PROGRAM ARGUMENTS, agent mcp add NAME URL,"
                    + " agent mcp remove NAME, agent mcp approve NAME, agent mcp probe NAME|URL, or"
                    + " agent mcp serve.";

    private static final List<RunOption> OF_ALL =
            List.of(RunOption.CONFIG, RunOption.CWD, RunOption.MCP_CONFIG, RunOption.TRUST);
    private static final List<String> OF_OTHERS =
            List.of("--env", "--token-env", "--client-id", "--client-secret-env", "--call");

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "mcp",
                        "List, add and remove MCP servers, approve one that has changed, or try one"
                                + " out: list | add NAME -- PROGRAM… | add NAME URL | remove NAME |"
                                + " approve NAME | probe NAME|URL. Or be one on standard streams,"
                                + " with the tools of agent run under the policy of agent run: serve."
                                + " Options that name no word are for serve; of these, -c, -C,"
                                + " --mcp-config and --trust are for all.");
        for (RunOption option : OF_ALL) {
            spec.addOption(option.spec());
        }
        spec.addOption(
                Specs.values(
                        "NAME=VALUE", "add: a variable for the program. Repeatable.", "--env"));
        spec.addOption(
                Specs.value(
                        "NAME",
                        "add, probe: variable that holds a server's token.",
                        "--token-env"));
        spec.addOption(
                Specs.value("ID", "probe: who we are to its authorization server.", "--client-id"));
        spec.addOption(
                Specs.value(
                        "NAME",
                        "probe: variable with the secret that goes with it.",
                        "--client-secret-env"));
        spec.addOption(
                Specs.values("TOOL=JSON", "probe: call this tool with these arguments.", "--call"));
        spec.addOption(
                Specs.flag(
                        "probe: answer questions of the server with the defaults of its forms.",
                        "--accept-forms"));
        spec.addOption(Specs.flag("list: one JSON object.", "--json"));
        McpServe.addTo(spec);
        spec.addPositional(Specs.words("list|add|remove|approve|probe|serve …", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return act(arguments, invocation, Specs.has(arguments, "--json"));
    }

    private static int act(ParseResult arguments, Invocation invocation, boolean json)
            throws Exception {
        List<String> words = Specs.positional(arguments);
        String action = words.isEmpty() ? "" : words.getFirst();
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        if (action.equals("serve") && rest.isEmpty()) {
            refuse(arguments, List.of("--json"), "agent mcp list");
            refuse(arguments, OF_OTHERS, "agent mcp add or probe");
            return new McpServe(arguments, invocation).serve();
        }
        refuse(arguments, McpServe.names(), "agent mcp serve");
        if (action.equals("list") && rest.isEmpty()) {
            return new McpList(arguments, invocation).print(json);
        }
        if (!action.equals("probe")) {
            Specs.refuse(arguments, "--json", "mcp " + action);
        }
        if (action.equals("add") && rest.size() >= 2) {
            return new McpFile(invocation)
                    .add(
                            rest.getFirst(),
                            rest.subList(1, rest.size()),
                            pairs(arguments, "--env"),
                            Specs.text(arguments, "--token-env"));
        }
        if (rest.size() != 1) {
            throw new UsageException(USAGE);
        }
        return switch (action) {
            case "remove" -> new McpFile(invocation).remove(rest.getFirst());
            case "approve" -> new McpTrial(arguments, invocation).approve(rest.getFirst());
            case "probe" ->
                    new McpTrial(arguments, invocation).probe(rest.getFirst(), calls(arguments));
            default -> throw new UsageException(USAGE);
        };
    }

    private static void refuse(ParseResult arguments, List<String> options, String with)
            throws UsageException {
        for (String option : options) {
            if (arguments.hasMatchedOption(option)) {
                throw new UsageException(option + " goes with " + with + ".");
            }
        }
    }

    private static Map<String, String> pairs(ParseResult arguments, String option)
            throws UsageException {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : Specs.texts(arguments, option)) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new UsageException(option + " " + text + ": write NAME=VALUE.");
            }
            pairs.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return pairs;
    }

    private static Map<String, JsonValue> calls(ParseResult arguments) throws UsageException {
        Map<String, JsonValue> calls = new LinkedHashMap<>();
        for (Map.Entry<String, String> pair : pairs(arguments, "--call").entrySet()) {
            try {
                calls.put(pair.getKey(), Json.parse(pair.getValue()));
            } catch (JsonException e) {
                throw new UsageException(
                        "--call %s: its arguments are not JSON: %s"
                                .formatted(pair.getKey(), e.getMessage()));
            }
        }
        return calls;
    }
}
