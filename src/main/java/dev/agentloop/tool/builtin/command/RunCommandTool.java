package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.Sandbox;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.builtin.file.FileKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a shell command to its end, or in the background; nothing that it started outlives the call,
 * or the run.
 */
public final class RunCommandTool extends BuiltInTool<RunCommandTool.Args> {
    /** The longest time that a model may ask for. */
    public static final Duration MAX_TIMEOUT = Duration.ofSeconds(600);

    static final int MAX_SECONDS = 600;

    private static final String NOT_KEPT =
            "\n\n[What this command deleted or overwrote was not kept: agent undo cannot put it"
                    + " back.]";

    private final ProcessRunner runner;
    private final Duration defaultTimeout;
    private final MissingVariables missing;

    /**
     * @param defaultTimeout for calls that name none
     */
    public RunCommandTool(ProcessRunner runner, Duration defaultTimeout) {
        super("run_command", Effect.OPAQUE, Args.class);
        this.runner = runner;
        this.defaultTimeout = defaultTimeout;
        this.missing = new MissingVariables(runner.environment());
    }

    /** What to run, where, and for how long. */
    public record Args(
            String command,
            @Nullable String cwd,
            @Doc("Seconds (120), at most 600") @Nullable Integer timeout,
            @Nullable Boolean background,
            @Nullable Boolean terminal,
            @Doc("Needs the network") @Nullable Boolean network) {
        public Args {
            if (command.isBlank()) {
                throw new IllegalArgumentException("command is empty");
            }
            if (command.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("command has a NUL character");
            }
            if (Boolean.TRUE.equals(terminal) && !Boolean.TRUE.equals(background)) {
                throw new IllegalArgumentException(
                        "terminal needs background: true; talk to it with command_input");
            }
            if (timeout != null && (timeout < 1 || timeout > MAX_TIMEOUT.toSeconds())) {
                throw new IllegalArgumentException(
                        "timeout must be 1 to %d seconds; split longer work"
                                .formatted(MAX_TIMEOUT.toSeconds()));
            }
        }
    }

    @Override
    public String subject(Args args) {
        return args.command();
    }

    @Override
    public String folder(Args args) {
        return args.cwd() == null || args.cwd().isEmpty() ? "." : args.cwd();
    }

    @Override
    public boolean reachesNetwork(Args args) {
        return Boolean.TRUE.equals(args.network());
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path cwd = folder(args.cwd(), context);
        boolean undoable = keepEndangered(args.command(), cwd, context);
        ToolResult result =
                Boolean.TRUE.equals(args.background())
                        ? inBackground(args, cwd, context)
                        : inForeground(args, cwd, context);
        return undoable
                ? result
                : result.withText(result.text().stripTrailing() + NOT_KEPT, result.truncated());
    }

    private ToolResult inForeground(Args args, Path cwd, ToolContext context)
            throws IOException, ToolException {
        Duration timeout =
                args.timeout() == null ? defaultTimeout : Duration.ofSeconds(args.timeout());
        CommandOutcome outcome =
                runner.run(
                        request(args, cwd, timeout),
                        context.cancellation(),
                        context.intent()::soFar);
        String shown = cwd.equals(context.workspace().root()) ? "" : context.workspace().show(cwd);
        ToolResult result =
                new CommandReport(args.command(), shown, timeout, outcome, context.resultChars())
                        .result();
        String hint = ofSandbox(args, outcome);
        hint += missing.after(args.command(), outcome, !hint.isEmpty());
        return hint.isEmpty()
                ? result
                : result.withText(result.text().stripTrailing() + hint, result.truncated());
    }

    private String ofSandbox(Args args, CommandOutcome outcome) {
        Sandbox sandbox = runner.sandbox();
        if (sandbox.tier() == Tier.NONE || outcome.exitCode() == 0) {
            return "";
        }
        boolean apart = sandbox.isOffline() && reachesNetwork(args);
        boolean others = sandbox.isOffline() && runner.background().hasOnline();
        return SandboxHint.of(
                outcome,
                new SandboxHint.Setting(
                        args.command(),
                        sandbox.isOffline() && !apart,
                        sandbox.sharesLoopback(),
                        sandbox.sharesProcesses() && !apart && !others,
                        runner.background().running()));
    }

    private CommandRequest request(Args args, Path cwd, Duration timeout) throws ToolException {
        CommandRequest request =
                Boolean.TRUE.equals(args.terminal())
                        ? atTerminal(args.command(), cwd, timeout)
                        : CommandRequest.shell(args.command(), cwd, timeout);
        request = request.sharingProcesses();
        return Boolean.TRUE.equals(args.network())
                ? request.with(CommandRequest.Reach.ONLINE)
                : request;
    }

    private CommandRequest atTerminal(String command, Path cwd, Duration timeout)
            throws ToolException {
        if (runner.sandbox().tier() == Tier.LANDLOCK) { // the user's terminals are in its reach
            throw ToolException.error(
                    "This sandbox (landlock) has no terminals. Without terminal most programs read"
                            + " lines as well, some with an option: python3 -i, bash -s.");
        }
        return CommandRequest.atTerminal(command, cwd, timeout)
                .orElseThrow(() ->
                        ToolException.error(
                                "This machine has no terminal for commands (the program script is"
                                        + " missing). Start it without terminal."));
    }

    /** Undo is no reason to hold a command up: what cannot be kept is only said. */
    private boolean keepEndangered(String command, Path cwd, ToolContext context) {
        GitStatus git = new GitStatus(runner, context.cancellation());
        Optional<Set<Path>> files = EndangeredFiles.of(command, cwd, context.workspace(), git);
        if (files.isEmpty() || files.get().isEmpty()) {
            return files.isPresent();
        }
        try {
            List<Touch> touched = new ArrayList<>();
            files.get().forEach(file -> touched.add(new Touch.AtRisk(file)));
            context.intent().await(touched);
            return true;
        } catch (ToolException e) {
            return false;
        }
    }

    private ToolResult inBackground(Args args, Path cwd, ToolContext context)
            throws IOException, ToolException {
        Optional<Duration> timeout =
                Optional.ofNullable(args.timeout()).map(seconds -> Duration.ofSeconds(seconds));
        CommandRequest request = request(args, cwd, timeout.orElse(defaultTimeout)).listening();
        return BackgroundReport.of(
                runner.background()
                        .start(request, timeout)
                        .orElseThrow(() -> tooMany(runner.background())),
                context.resultChars());
    }

    private static ToolException tooMany(BackgroundCommands commands) {
        return ToolException.error(
                "Not started: %d background commands are running, which is the limit: %s. End one"
                                .formatted(
                                        BackgroundCommands.MOST_RUNNING,
                                        String.join(", ", commands.running()))
                        + " with stop_command.");
    }

    private static Path folder(@Nullable String cwd, ToolContext context)
            throws IOException, ToolException {
        Path folder = context.workspace().resolve(cwd == null || cwd.isEmpty() ? "." : cwd);
        FileKind.requireFolder(context.workspace(), folder, cwd == null ? "." : cwd);
        if (!Files.isExecutable(folder)) {
            throw ToolException.error(
                    "May not enter the folder " + context.workspace().show(folder) + ".");
        }
        return folder;
    }
}
