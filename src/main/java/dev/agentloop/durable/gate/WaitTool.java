package dev.agentloop.durable.gate;

import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Waiting;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a time or a signal; meanwhile the task needs no process and no worker. */
public final class WaitTool extends BuiltInTool<WaitTool.Args> {
    private static final int MOST_SECONDS = 30 * 24 * 60 * 60;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private final Waiting waiting;
    private final Supplier<List<String>> background;

    /**
     * @param background commands that would end with the process, as a person would name them
     */
    public WaitTool(Waiting waiting, Supplier<List<String>> background) {
        super("wait", Effect.PURE, Args.class); // made again it waits on
        this.waiting = waiting;
        this.background = background;
    }

    /** How long, and for what. */
    public record Args(
            @Doc("How long at most") int seconds,
            @Doc(value = "Go on as soon as this signal is there", optional = true)
                    @Nullable String signal) {
        public Args {
            if (seconds < 1 || seconds > MOST_SECONDS) {
                throw new IllegalArgumentException("seconds is from 1 to " + MOST_SECONDS);
            }
            if (signal != null && !signal.matches(NAME)) {
                throw new IllegalArgumentException(
                        "signal is a name: letters, digits, '.', '_' and '-', at most 64");
            }
        }
    }

    @Override
    public String subject(Args args) {
        return args.signal() == null ? "" : args.signal();
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        List<String> running = background.get();
        if (!running.isEmpty()) {
            throw ToolException.error(
                    "Not waited: this process may end meanwhile, and these background commands with"
                            + " it: "
                            + String.join("; ", running)
                            + ". Look at them with command_output, or stop them first.");
        }
        String signal = args.signal() == null ? "" : args.signal();
        Waiting.Answer answer =
                waiting.await(context.callId(), signal, Duration.ofSeconds(args.seconds()));
        Optional<String> came = answer.signal();
        if (came.isPresent()) {
            String text = came.get().isEmpty() ? "" : ". It says:\n" + came.get();
            return ToolResult.ok("The signal " + signal + " is there" + text);
        }
        return ToolResult.ok(
                "The time is over, it is "
                        + answer.now()
                        + (signal.isEmpty() ? "." : "; the signal " + signal + " has not come."));
    }
}
