package dev.agentloop.tool.builtin.command;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Tells what a background command has printed since the last time, and whether it runs. */
public final class CommandOutputTool extends BackgroundTool<CommandOutputTool.Args> {
    private static final int USUAL_SECONDS = 30;

    public CommandOutputTool(BackgroundCommands commands) {
        super("command_output", Effect.PURE, Args.class, commands);
    }

    /** The command that is meant, and what to wait for. */
    public record Args(
            @Doc("Id that run_command gave, e.g. b1") String id,
            @Doc("Return when new output matches this regular expression") @Nullable String waitFor,
            @Doc("Seconds to wait, default 30") @Nullable Integer timeout)
            implements OfCommand {
        public Args {
            if (timeout != null && (timeout < 1 || timeout > RunCommandTool.MAX_SECONDS)) {
                throw new IllegalArgumentException(
                        "timeout must be 1 to " + RunCommandTool.MAX_SECONDS + " seconds");
            }
        }

        Optional<Pattern> wanted() throws ToolException {
            try {
                return waitFor == null || waitFor.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Pattern.compile(waitFor, Pattern.MULTILINE));
            } catch (PatternSyntaxException e) {
                throw ToolException.error("wait_for is no regular expression: " + e.getDescription());
            }
        }
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        Optional<Pattern> wanted = args.wanted();
        Duration atMost =
                Duration.ofSeconds(args.timeout() == null ? USUAL_SECONDS : args.timeout());
        Optional<BackgroundCommands.Report> report =
                wanted.isPresent()
                        ? commands.await(args.id(), wanted.get(), atMost, context.cancellation())
                        : commands.look(args.id());
        return BackgroundReport.of(
                report.orElseThrow(() -> BackgroundReport.unknown(args.id(), commands)),
                context.resultChars());
    }
}
