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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes to the standard input of a background command, as a person would at a terminal. */
public final class CommandInputTool extends BackgroundTool<CommandInputTool.Args> {
    private static final int MAX_TEXT = 32_000; // characters
    private static final int MOST_BYTES = 64 * 1024; // what a pipe holds that nobody reads
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
                    Map.entry("left", "\u001B[D"),
                    Map.entry("home", "\u001B[H"),
                    Map.entry("end", "\u001B[F"),
                    Map.entry("insert", "\u001B[2~"),
                    Map.entry("delete", "\u001B[3~"),
                    Map.entry("page-up", "\u001B[5~"),
                    Map.entry("page-down", "\u001B[6~"),
                    Map.entry("shift-tab", "\u001B[Z"));

    /** Other names that models give them. */
    private static final Map<String, String> ALSO =
            Map.ofEntries(
                    Map.entry("escape", "esc"),
                    Map.entry("return", "enter"),
                    Map.entry("del", "delete"),
                    Map.entry("pageup", "page-up"),
                    Map.entry("pgup", "page-up"),
                    Map.entry("pagedown", "page-down"),
                    Map.entry("pgdn", "page-down"),
                    Map.entry("arrow-up", "up"),
                    Map.entry("arrow-down", "down"),
                    Map.entry("arrow-left", "left"),
                    Map.entry("arrow-right", "right"),
                    Map.entry("backtab", "shift-tab"));

    private static final Set<String> LINE_ENDS = Set.of("enter", "ctrl-j", "ctrl-m", "ctrl-c");

    /** They bring no line back; esc is none of them: with a character it edits in a shell. */
    private static final Set<String> PLAIN_KEYS =
            Set.of("enter", "ctrl-j", "ctrl-m", "ctrl-c", "ctrl-d", "ctrl-z", "ctrl-l");

    /** Control characters are keys, and shells replace {@code !$} and the like. */
    private static final Pattern BRINGS_BACK =
            Pattern.compile(
                    "[\\p{Cntrl}&&[^\\n\\r\\t]]|[\\x80-\\x9F]|![^\\s=(\"']|^[ \\t]*+\\^",
                    Pattern.MULTILINE);

    private static final String GOES_ON = "\\\n"; // the line does, for a shell

    private final Map<String, String> unfinished = new ConcurrentHashMap<>(); // line by command

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

        private List<String> pressed() {
            return keys == null ? List.of() : keys.stream().map(Args::usual).toList();
        }

        private static String usual(String key) {
            String name = key.toLowerCase(Locale.ROOT).replace('+', '-').replace('_', '-');
            String control = name.startsWith("c-") ? "ctrl-" + name.substring(2) : name;
            return ALSO.getOrDefault(control, control);
        }

        /** The text, and a line's end for each key that ends one. */
        String typed() {
            long ends = pressed().stream().filter(LINE_ENDS::contains).count();
            return (text == null ? "" : text.replace('\r', '\n')) + "\n".repeat((int) ends);
        }

        /** Whether a key, or a character that is one, may bring back a line or change it. */
        boolean edits() {
            return pressed().stream().anyMatch(key -> !PLAIN_KEYS.contains(key))
                    || text != null && BRINGS_BACK.matcher(text).find();
        }

        /** Without a terminal nothing turns a key into more than a character. */
        byte[] bytes(boolean terminal) throws ToolException {
            StringBuilder all = new StringBuilder(text == null ? "" : text);
            for (String key : pressed()) {
                all.append(terminal ? sent(key) : asCharacter(key));
            }
            return all.toString().getBytes(StandardCharsets.UTF_8);
        }

        private String asCharacter(String key) throws ToolException {
            String atTerminal = sent(key); // a key that there is not is refused in any case
            return switch (key) {
                case "enter", "ctrl-j", "ctrl-m" -> "\n";
                case "tab", "space" -> atTerminal;
                default ->
                        throw ToolException.error(
                                ("Not sent: %s has no terminal, where %s is no key. stop_command"
                                                + " ends it, end: true ends its input; started"
                                                + " with terminal: true it has all keys.")
                                        .formatted(id, key));
            };
        }

        private static String sent(String key) throws ToolException {
            String known = KEYS.get(key);
            boolean control =
                    key.length() == 6
                            && key.startsWith("ctrl-")
                            && Character.isLetter(key.charAt(5));
            if (known == null && !control) {
                throw ToolException.error(
                        "Nothing was sent: there is no key \"%s\". Keys: %s, ctrl- and a letter."
                                .formatted(
                                        key,
                                        String.join(
                                                ", ", KEYS.keySet().stream().sorted().toList())));
            }
            return known != null ? known : String.valueOf((char) (key.charAt(5) & 0x1F));
        }
    }

    /**
     * What is typed, with the line that was begun before: a shell would run it, so it is judged as
     * a command is. Keys that bring back or change a line make it one that nobody knows.
     */
    @Override
    public String subject(Args args) {
        String typed = typed(args);
        String joined = typed.replace(GOES_ON, "").strip();
        String line = joined.equals(typed.strip()) ? joined : joined + "\n" + typed.strip();
        return edits(args) ? line + "\neval \"$LINE\"" : line.isEmpty() ? "true" : line;
    }

    /** A tab completes names at a terminal, and is a blank elsewhere. */
    private boolean edits(Args args) {
        boolean completes =
                args.text() != null
                        && args.text().indexOf('\t') >= 0
                        && commands.isAtTerminal(args.id()).orElse(false);
        return completes || args.edits();
    }

    /** With the line that was begun before. */
    private String typed(Args args) {
        return unfinished.getOrDefault(args.id(), "") + args.typed();
    }

    /**
     * What of the text no line end has finished. After a backslash a line may go on or not, as
     * after two of them: it is judged both ways.
     */
    private static String unfinished(String typed) {
        int end = typed.lastIndexOf('\n');
        while (end > 0 && typed.charAt(end - 1) == '\\') {
            end = typed.lastIndexOf('\n', end - 1);
        }
        return typed.substring(end + 1);
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("run_command");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        byte[] bytes = args.bytes(commands.isAtTerminal(args.id()).orElse(true));
        if (bytes.length > MOST_BYTES) {
            throw ToolException.error(
                    "Not sent: more than " + MOST_BYTES + " bytes. Send it in parts.");
        }
        String before = commands.printed(args.id()).orElse("");
        try {
            Optional<Boolean> taken =
                    commands.tell(args.id(), bytes, Boolean.TRUE.equals(args.end()));
            if (taken.isEmpty()) {
                throw BackgroundReport.unknown(args.id(), commands);
            }
            unfinished.put(args.id(), unfinished(typed(args)));
            if (!taken.get()) {
                throw ToolException.error(
                        args.id() + " does not read its input; what was sent waits for it.");
            }
        } catch (IOException e) {
            throw ToolException.error(
                    "Not sent to %s: %s. See command_output.".formatted(args.id(), e.getMessage()));
        }
        return BackgroundReport.of(
                commands.await(args.id(), new Answered(before), ANSWER, context.cancellation())
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands)),
                context.resultChars());
    }

    /** Something was printed that was not there before, and nothing more between two looks. */
    private static final class Answered implements Predicate<String> {
        private final String before;
        private String last = "";

        Answered(String before) {
            this.before = before;
        }

        @Override
        public boolean test(String printed) {
            boolean ready = !printed.equals(before) && printed.equals(last);
            last = printed;
            return ready;
        }
    }
}
