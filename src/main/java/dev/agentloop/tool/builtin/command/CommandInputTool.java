package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes to the standard input of a background command, as a person would at a terminal. */
public final class CommandInputTool extends BackgroundTool<CommandInputTool.Args> {
    private static final int MAX_TEXT = 32_000; // characters; a pipe holds 64 KB
    private static final Duration ANSWER = Duration.ofSeconds(1); // at most; most take less

    /** What keys send to a terminal. */
    private static final Map<String, String> KEYS =
            Map.ofEntries(
                    Map.entry("enter", "\r"),
                    Map.entry("tab", "\t"),
                    Map.entry("esc", "\u001B"),
                    Map.entry("space", " "),
                    Map.entry("backspace", "\u007F"),
                    Map.entry("up", "\u001B[A"),
                    Map.entry("down", "\u001B[B"),
                    Map.entry("right", "\u001B[C"),
                    Map.entry("left", "\u001B[D"));

    public CommandInputTool(BackgroundCommands commands) {
        super("command_input", Effect.OPAQUE, Args.class, commands);
    }

    /** To which command, and what. */
    public record Args(
            String id, @Nullable String text, @Nullable List<String> keys, @Nullable Boolean end)
            implements OfCommand {
        public Args {
            boolean nothing = (text == null || text.isEmpty()) && (keys == null || keys.isEmpty());
            if (nothing && !Boolean.TRUE.equals(end)) {
                throw new IllegalArgumentException("give text, keys or end");
            }
            if (text != null && text.length() > MAX_TEXT) {
                throw new IllegalArgumentException(
                        "text must have at most " + MAX_TEXT + " characters");
            }
        }

        byte[] bytes() throws ToolException {
            StringBuilder all = new StringBuilder(text == null ? "" : text);
            for (String key : keys == null ? List.<String>of() : keys) {
                all.append(sent(key.toLowerCase(Locale.ROOT)));
            }
            return all.toString().getBytes(StandardCharsets.UTF_8);
        }

        private static String sent(String key) throws ToolException {
            String known = KEYS.get(key);
            boolean control =
                    key.length() == 6
                            && key.startsWith("ctrl-")
                            && Character.isLetter(key.charAt(5));
            if (known == null && !control) {
                throw ToolException.error(
                        "There is no key \"%s\". Keys: %s, ctrl- and a letter."
                                .formatted(
                                        key,
                                        String.join(
                                                ", ", KEYS.keySet().stream().sorted().toList())));
            }
            return known != null ? known : String.valueOf((char) (key.charAt(5) & 0x1F));
        }
    }

    /** What is typed: a shell would run it, so it is judged as a command is. */
    @Override
    public String subject(Args args) {
        String text = args.text() == null ? "" : args.text().strip();
        return text.isEmpty() ? "true" : text;
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("run_command");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        byte[] bytes = args.bytes();
        try {
            Optional<Boolean> taken =
                    commands.tell(args.id(), bytes, Boolean.TRUE.equals(args.end()));
            if (taken.isEmpty()) {
                throw BackgroundReport.unknown(args.id(), commands);
            }
            if (!taken.get()) {
                throw ToolException.error(
                        args.id() + " does not read its input; what was sent waits for it.");
            }
        } catch (IOException e) {
            throw ToolException.error(
                    "Not sent to %s: %s. See command_output.".formatted(args.id(), e.getMessage()));
        }
        return BackgroundReport.of(
                commands.await(args.id(), new Answered(), ANSWER, context.cancellation())
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands)),
                context.resultChars());
    }

    /** Something was printed, and nothing more between two looks. */
    private static final class Answered implements Predicate<String> {
        private String before = "";

        @Override
        public boolean test(String printed) {
            boolean ready = !printed.isBlank() && printed.equals(before);
            before = printed;
            return ready;
        }
    }
}
