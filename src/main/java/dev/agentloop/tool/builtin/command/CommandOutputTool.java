package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.search.SearchDeadline;
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
    private static final int MAX_PATTERN = 1_000;

    private static final String NOT_SEEN =
            "\n[wait_for is not in what was printed since you last asked; waited ";

    private static final String BEFORE =
            "\n[wait_for is in what you were told just now; nobody waited]";

    public CommandOutputTool(BackgroundCommands commands) {
        super("command_output", Effect.PURE, Args.class, commands);
    }

    /** The command that is meant, and what to wait for. */
    public record Args(String id, @Nullable String waitFor, @Nullable Integer timeout)
            implements OfCommand {
        public Args {
            if (waitFor != null && waitFor.length() > MAX_PATTERN) {
                throw new IllegalArgumentException(
                        "wait_for must have at most " + MAX_PATTERN + " characters");
            }
            if (timeout != null && (timeout < 1 || timeout > RunCommandTool.MAX_SECONDS)) {
                throw new IllegalArgumentException(
                        "timeout must be 1 to " + RunCommandTool.MAX_SECONDS + " seconds");
            }
        }

        /** Empty if there is nothing to wait for. */
        Optional<Pattern> wanted() throws ToolException {
            try {
                return waitFor == null || waitFor.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Pattern.compile(waitFor, Pattern.MULTILINE));
            } catch (PatternSyntaxException e) {
                throw ToolException.error(
                        "wait_for is no regular expression: " + e.getDescription());
            }
        }

        Duration atMost() {
            return Duration.ofSeconds(timeout == null ? USUAL_SECONDS : timeout);
        }
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        if (isTold(args, context)) {
            return toldBefore(args, context);
        }
        BackgroundCommands.Awaited news =
                news(args, context)
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands));
        ToolResult result =
                BackgroundReport.of(news.report(), context.resultChars() - NOT_SEEN.length());
        return news.seen() || news.report().end().isPresent()
                ? result
                : result.withText(
                        result.text() + NOT_SEEN + args.atMost().toSeconds() + " s]",
                        result.truncated());
    }

    /** Whether the model waits for what the last result already had. */
    private boolean isTold(Args args, ToolContext context) throws ToolException {
        String first = commands.newestWords(args.id()).orElse("");
        Optional<Pattern> wanted = args.wanted();
        if (first.isBlank() || wanted.isEmpty()) {
            return false;
        }
        SearchDeadline deadline = new SearchDeadline(args.atMost(), context.cancellation());
        try {
            return wanted.get().matcher(deadline.guard(first)).find();
        } catch (SearchDeadline.Passed | StackOverflowError e) {
            return false; // the waiting says so
        }
    }

    private ToolResult toldBefore(Args args, ToolContext context) throws ToolException {
        BackgroundCommands.Report report =
                commands.look(args.id())
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands));
        ToolResult result = BackgroundReport.of(report, context.resultChars() - BEFORE.length());
        return result.withText(result.text() + BEFORE, result.truncated());
    }

    private Optional<BackgroundCommands.Awaited> news(Args args, ToolContext context)
            throws ToolException {
        Optional<Pattern> wanted = args.wanted();
        if (wanted.isPresent()) {
            return await(args, wanted.get(), context);
        }
        Optional<BackgroundCommands.Report> report =
                args.timeout() == null
                        ? commands.look(args.id())
                        : commands.await(
                                args.id(), _ -> false, args.atMost(), context.cancellation());
        return report.map(news -> new BackgroundCommands.Awaited(news, true)); // nothing is wanted
    }

    /** Also the matching ends in time: an expression may go through a text again and again. */
    private Optional<BackgroundCommands.Awaited> await(
            Args args, Pattern wanted, ToolContext context) throws ToolException {
        SearchDeadline deadline = new SearchDeadline(args.atMost(), context.cancellation());
        try {
            return commands.awaitLast(
                    args.id(),
                    text -> wanted.matcher(deadline.guard(text)).find(),
                    args.atMost(),
                    context.cancellation());
        } catch (SearchDeadline.TooSlow | StackOverflowError e) {
            throw ToolException.error(
                    "wait_for takes too long with what the command printed. Make it simpler.");
        } catch (SearchDeadline.Passed e) {
            return commands.look(args.id())
                    .map(report -> new BackgroundCommands.Awaited(report, false));
        }
    }
}
