package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.setup.ClientPermissions;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.cli.tool.ToolTrial;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.mcp.serve.ServedTool;
import dev.agentloop.mcp.serve.StdioServer;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.wiring.AgentWiring;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code agent mcp serve}: the tools, and whole runs, for a client of the Model Context Protocol.
 * Nobody can be asked, so what would be asked is denied; this command line says what is allowed.
 */
final class McpServe {
    private static final String TOOLS = "--tools";

    /** There is no agent at work that others could work for, wait or hand over. */
    private static final Set<String> NEED_A_RUN =
            Set.of("dispatch_subagent", "switch_agent", "wait");

    /** Options of {@code agent run} that serve has besides those of all {@code agent mcp}. */
    private static final Set<RunOption> OWN =
            RunOption.join(
                    RunOption.limitsBut(),
                    RunOption.ADD_DIR,
                    RunOption.AGENT,
                    RunOption.MODEL,
                    RunOption.FALLBACK_MODEL,
                    RunOption.EFFORT,
                    RunOption.BASE_URL,
                    RunOption.API_KEY_ENV,
                    RunOption.CONFIRM,
                    RunOption.YOLO,
                    RunOption.ALLOW,
                    RunOption.DENY,
                    RunOption.SANDBOX,
                    RunOption.ALLOW_DESTRUCTIVE,
                    RunOption.ALLOW_NET,
                    RunOption.RULES_FROM,
                    RunOption.NO_MCP,
                    RunOption.DRY_RUN,
                    RunOption.NO_SESSION);

    private final ParseResult arguments;
    private final Invocation invocation;

    McpServe(ParseResult arguments, Invocation invocation) {
        this.arguments = arguments;
        Streams streams = invocation.streams();
        this.invocation = // its streams speak the protocol, even if they are a terminal
                new Invocation(
                        new Streams(
                                streams.in(), streams.out(), streams.err(), false, false, false),
                        invocation.environment(),
                        invocation.currentDirectory(),
                        invocation.home(),
                        invocation.secrets(),
                        invocation.ownsProcess(),
                        null);
    }

    static void addTo(CommandSpec spec) {
        OWN.forEach(option -> spec.addOption(option.spec()));
        spec.addOption(
                Specs.value(
                        "A,B",
                        "serve: offer these tools only, run among them; a run has its own.",
                        TOOLS));
    }

    /** Names of the options that no other word of {@code agent mcp} takes. */
    static List<String> names() {
        return Stream.concat(OWN.stream().map(RunOption::longName), Stream.of(TOOLS)).toList();
    }

    /** Serves until the client closes its side, which is exit code 0. */
    int serve() throws IOException, UsageException {
        CallProgress progress = new CallProgress();
        try (ToolTrial trial = ToolTrial.serving(arguments, invocation, progress)) {
            AgentWiring wiring = trial.wiring(Optional.empty());
            Path workspace = trial.loaded().config().workspace().toRealPath();
            List<ServedTool> tools = offered(wiring::toolsAlone, progress, trial, workspace);
            StdioServer server =
                    new StdioServer(
                            new StdioServer.Offer(
                                    Version.text(),
                                    instructions(workspace),
                                    tools,
                                    StdioServer.Limits.USUAL));
            invocation
                    .streams()
                    .printError(
                            "agent mcp serve: %d tools for %s\n"
                                    .formatted(tools.size(), workspace));
            return ended(
                    server.serve(
                            invocation.streams().in(),
                            invocation.streams().out(),
                            trial.interrupts()));
        }
    }

    private static String instructions(Path workspace) {
        return "Tools of a coding agent for the folder "
                + workspace
                + "; relative paths start there. What needs an approval is denied, because nobody can"
                + " be asked: the server's command line decides what is allowed. The tool run hands a"
                + " whole task to the agent.";
    }

    private int ended(StdioServer.End end) {
        return switch (end) {
            case CLOSED -> ExitCode.SUCCESS.code();
            case STOPPED -> ExitCode.INTERRUPTED.code();
            case STUCK -> {
                invocation.streams().printError("agent: the client does not read; giving it up\n");
                yield ExitCode.FAILED.code();
            }
        };
    }

    private List<ServedTool> offered(
            Supplier<ToolRunner> runners, CallProgress progress, ToolTrial trial, Path workspace)
            throws UsageException {
        List<ServedTool> all = new ArrayList<>();
        ServedCall.Order order = new ServedCall.Order();
        for (ToolSpec spec : runners.get().specs()) {
            if (NEED_A_RUN.contains(spec.name())) {
                continue;
            }
            all.add(new ServedCall(spec, runners, progress, order, invocation.secrets()::mask));
        }
        all.add(
                new ServedRun(
                        new ClientPermissions(arguments, trial.loaded()),
                        new RunChild(trial.processes(), invocation, workspace, words())));
        return chosen(all);
    }

    private List<ServedTool> chosen(List<ServedTool> all) throws UsageException {
        if (!arguments.hasMatchedOption(TOOLS)) {
            return all;
        }
        List<String> wanted =
                Arrays.stream(Specs.text(arguments, TOOLS).split(",", -1))
                        .map(String::strip)
                        .toList();
        List<String> known = all.stream().map(ServedTool::name).toList();
        for (String name : wanted) {
            if (!known.contains(name)) {
                throw new UsageException(
                        "%s: there is no tool \"%s\" to offer. There are: %s."
                                .formatted(TOOLS, name, String.join(", ", known)));
            }
        }
        return all.stream().filter(tool -> wanted.contains(tool.name())).toList();
    }

    /** What each run gets of this command line: all but the workspace. */
    private List<String> words() {
        List<String> words = new ArrayList<>();
        Stream.concat(
                        Stream.of(RunOption.CONFIG, RunOption.MCP_CONFIG, RunOption.TRUST),
                        OWN.stream())
                .filter(option -> option.isGiven(arguments))
                .forEach(option -> add(option, words));
        return words;
    }

    private void add(RunOption option, List<String> words) {
        String name = option.longName();
        if (arguments.matchedOption(name).type() == boolean.class) {
            words.add(name);
        } else {
            option.texts(arguments).forEach(value -> words.add(name + "=" + value));
        }
    }
}
