package dev.agentloop.cli.tool;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OptionSettings;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.ProviderKeys;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.run.OutputOptions;
import dev.agentloop.cli.setup.McpStart;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.terminal.ErrorConsole;
import dev.agentloop.cli.terminal.TerminalTalk;
import dev.agentloop.cli.workspace.ProjectFiles;
import dev.agentloop.cli.workspace.RunCircumstances;
import dev.agentloop.cli.workspace.RunFolders;
import dev.agentloop.cli.workspace.RunSandbox;
import dev.agentloop.cli.workspace.WorkspaceTrust;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.EventSink;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.output.SafeText;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.Supervision;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.replay.Tape;
import dev.agentloop.session.NoJournal;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.wiring.AgentWiring;
import dev.agentloop.wiring.SandboxChoice;
import dev.agentloop.wiring.SecretFiles;
import dev.agentloop.wiring.run.McpServers;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Tools without a model, under the same policy, workspace and hooks as in a run. */
public final class ToolTrial implements AutoCloseable {
    private static final int LIVE_LINES = 5;

    private final ParseResult arguments;
    private final Invocation invocation;
    private final boolean json;
    private final Cancellation interrupts = new Cancellation();
    private final SystemTime time = new SystemTime();
    private @Nullable ProcessRunner processes;
    private @Nullable SandboxChoice chosen;
    private McpServers servers = McpServers.NONE;
    private final EventSink events;
    private @Nullable LoadedConfig read;
    private boolean withServers;
    private final boolean graceful;
    private final long started = System.nanoTime();
    private Signals signals = Signals.none();
    private @Nullable ErrorConsole console;
    private boolean watched;
    private boolean describing;

    ToolTrial(ParseResult arguments, Invocation invocation) {
        this(arguments, invocation, _ -> {}, false);
    }

    /**
     * One that ends its calls by itself when {@link #interrupts} says so.
     *
     * @param events hears of all calls, from several threads
     */
    public static ToolTrial serving(
            ParseResult arguments, Invocation invocation, EventSink events) {
        return new ToolTrial(arguments, invocation, events, true);
    }

    private ToolTrial(
            ParseResult arguments, Invocation invocation, EventSink events, boolean graceful) {
        this.arguments = arguments;
        this.invocation = invocation;
        this.events = events;
        this.graceful = graceful;
        this.json = OutputOptions.of(arguments).format() == OutputFormat.JSON;
    }

    /** One that shows a person what a command prints, and ends by itself as well. */
    static ToolTrial watched(ParseResult arguments, Invocation invocation) {
        ToolTrial trial = new ToolTrial(arguments, invocation, _ -> {}, true);
        trial.watched = true;
        return trial;
    }

    /** One that only tells what a run is offered; where a person is there, that is more. */
    static ToolTrial describing(ParseResult arguments, Invocation invocation) {
        ToolTrial trial = new ToolTrial(arguments, invocation);
        trial.describing = true;
        return trial;
    }

    int list() throws Exception {
        withServers = true;
        describing = true;
        return guarded(tools -> {
            invocation.streams().print(json ? ToolJson.list(tools.specs()) : lines(tools.specs()));
            return ExitCode.SUCCESS.code();
        });
    }

    private static String lines(List<ToolSpec> specs) {
        StringBuilder lines = new StringBuilder();
        for (ToolSpec spec : specs) {
            lines.append(spec.name());
            lines.append("  [").append(spec.effect().name().toLowerCase(Locale.ROOT));
            lines.append("]  ").append(firstLine(spec.description())).append('\n');
        }
        return lines.toString();
    }

    /** Prints what the model would read; exit code 0, or 2 when the tool reports an error. */
    int run(String name, String given) throws Exception {
        String text = given.equals("-") ? read() : given;
        withServers = name.startsWith("mcp__"); // the others need no server
        return guarded(tools -> {
            Run run = new Run(List.of(), new CostTracker(null, null, -1), interrupts);
            ToolResult result = tools.runAlone(new ToolCall("trial", name, text), run);
            if (console != null) {
                console.close();
            }
            String words =
                    json ? ToolJson.result(name, result) : result.text().stripTrailing() + "\n";
            invocation
                    .streams()
                    .print(invocation.streams().outIsTerminal() ? SafeText.block(words) : words);
            if (!Signals.nameOf(interrupts).isEmpty()) {
                return ExitCode.INTERRUPTED.code(); // the signal's own end may come later
            }
            return result.isError() ? ExitCode.PARTIAL.code() : ExitCode.SUCCESS.code();
        });
    }

    private interface Work {
        int with(ToolRunner tools) throws IOException;
    }

    private int guarded(Work work) throws Exception {
        try {
            return work.with(tools());
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        signals.close();
        if (console != null) {
            console.close(); // nothing is drawn into what comes next
        }
        servers.close();
        if (processes != null) {
            processes.killAll();
        }
        if (chosen != null) {
            chosen.close();
        }
    }

    private ToolRunner tools() throws UsageException, IOException {
        return wiring(Optional.empty()).toolsAlone();
    }

    /**
     * All of a run but its model.
     *
     * @param as the use in which the policy decides; empty: the one at hand
     */
    public AgentWiring wiring(Optional<Supervision> as) throws UsageException, IOException {
        RunPreparation.Alone found =
                RunPreparation.loadAlone(arguments, invocation, OptionSettings.of(arguments));
        LoadedConfig loaded = found.loaded();
        read = loaded;
        loaded.warnings().forEach(warning -> invocation.streams().printError(warning + "\n"));
        String agent =
                RunOption.AGENT.isGiven(arguments)
                        ? RunOption.AGENT.text(arguments)
                        : RunPreparation.USUAL_AGENT;
        AgentConfig config = RunFolders.found(loaded.forAgent(agent), arguments, invocation);
        ProviderKeys.tell(invocation.secrets(), invocation.environment(), config);
        RunPreparation.checkRules(config, loaded);
        SandboxChoice sandbox = RunSandbox.choose(invocation, config, loaded);
        chosen = sandbox;
        ModelChoice.Chosen model = TrialModel.of(config, invocation.environment());
        ProcessRunner runner = runner(config, model, sandbox, found.trust().isTrusted());
        processes = runner;
        if (invocation.ownsProcess()) { // a command has a session of its own: no Ctrl+C reaches it
            takeSignals(runner::killAll);
        }
        startServers(agent, config, runner);
        Circumstances where =
                RunCircumstances.of(
                        arguments,
                        invocation,
                        loaded,
                        new RunCircumstances.Known(
                                config.workspace().toRealPath(),
                                config.permissions().addDirs(),
                                runner.outputFolder(),
                                found.trust().isTrusted(),
                                sandbox,
                                as));
        return new AgentWiring(
                setup(config, model, agent, found.files()),
                around(found.trust(), runner, where, isAttended(as)),
                Version.text(),
                time.nanos());
    }

    /** Nothing is started in the background for calls that are made here. */
    private boolean isAttended(Optional<Supervision> as) {
        return describing && as.map(Supervision::isAttended).orElse(!invocation.isHeadless());
    }

    private void takeSignals(Signals.ForcedEnd end) {
        signals =
                graceful
                        ? Signals.install(interrupts, invocation.streams(), end)
                        : Signals.endAtOnce(interrupts, invocation.streams(), end);
    }

    /** Falls with the first signal. */
    public Cancellation interrupts() {
        return interrupts;
    }

    /** Who starts processes; there after {@link #wiring}. */
    public ProcessRunner processes() {
        return Objects.requireNonNull(processes);
    }

    /** The configuration; there after {@link #wiring}. */
    public LoadedConfig loaded() {
        return Objects.requireNonNull(read);
    }

    private void startServers(String agent, AgentConfig config, ProcessRunner runner)
            throws IOException {
        if (!withServers) {
            return;
        }
        Path root = config.workspace().toRealPath();
        servers =
                McpStart.start(
                        McpStart.of(agent, config, McpStart.wanted(arguments, invocation, config)),
                        arguments,
                        invocation,
                        new McpStart.Place(runner, root, true, config),
                        interrupts);
        for (String warning : servers.warnings()) {
            invocation.streams().printError(warning + "\n");
        }
    }

    private String elapsed() {
        return (System.nanoTime() - started) / 1_000_000_000L + " s, Ctrl-C ends it";
    }

    private RunSurroundings around(
            WorkspaceTrust trust, ProcessRunner runner, Circumstances where, boolean attended) {
        ErrorConsole live =
                new ErrorConsole(
                        invocation.streams(),
                        watched && !invocation.isHeadless(),
                        new ErrorConsole.Live(
                                this::elapsed,
                                () ->
                                        ErrorConsole.shown(
                                                runner.lastLines(LIVE_LINES), invocation.secrets()),
                                invocation.screen()::columns,
                                false));
        console = live;
        TerminalTalk talk = invocation.talk(live);
        return new RunSurroundings(
                events,
                invocation.approver(talk, trust.keeper()),
                invocation.person(talk),
                interrupts,
                time,
                new NoJournal(),
                runner,
                invocation.environment(),
                invocation.secrets(),
                attended,
                where,
                trust.always(),
                servers,
                Tape.NONE);
    }

    private ProcessRunner runner(
            AgentConfig config, ModelChoice.Chosen model, SandboxChoice sandbox, boolean trusted)
            throws IOException {
        boolean unattended = invocation.isHeadless() || !trusted;
        Path root = config.workspace().toRealPath();
        return new ProcessRunner(
                ProviderKeys.withheld(invocation.environment(), config, model),
                config.commands().passEnv(),
                RunSandbox.variables(loaded()),
                sandbox.in(
                        root,
                        () -> SecretFiles.in(root, config, unattended, invocation.environment())),
                RunSandbox.temporary(invocation, root, config));
    }

    /** A run that has all but a task. */
    private RunSetup setup(
            AgentConfig config, ModelChoice.Chosen model, String agent, ProjectFiles files) {
        return new RunSetup(
                config,
                model,
                List.of(),
                config.workspace(),
                "",
                agent,
                false,
                RunOption.DRY_RUN.isGiven(arguments),
                false,
                "",
                files.guidance(invocation),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                false);
    }

    private String read() throws IOException {
        return new String(invocation.streams().in().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The first line, without a sentence that announces a list on the next lines. */
    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        int end = line.lastIndexOf(". ");
        return line.endsWith(":") && end > 0 ? line.substring(0, end + 1) : line;
    }
}
