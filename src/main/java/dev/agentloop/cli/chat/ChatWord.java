package dev.agentloop.cli.chat;

import dev.agentloop.config.key.Suggestion;
import dev.agentloop.markdown.TextFlow;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What can be said at the prompt of a chat besides tasks. */
enum ChatWord {
    HELP("", "this list"),
    MODEL("[PROVIDER/MODEL]", "another model, from the next task on; alone: which there are"),
    AGENT("[NAME]", "another agent, from the next task on; alone: which there are"),
    DIFF("", "how the files of this session differ from what they were"),
    UNDO("", "files as they were before the last task; says first what it would do"),
    REWIND("[STEP]", "files and conversation as they were after a step; alone: the steps"),
    COMPACT("", "make the conversation shorter by a summary"),
    CONTEXT("", "what the next request holds, part by part"),
    OUTPUT("[N]", "what the last call brought, in full (Ctrl-T, too); 2: the one before"),
    COST("", "tokens and cost of this session"),
    EXPORT("[FILE]", "this session as .html, .md or .json"),
    INIT("", "write a first AGENTS.md: what coding agents must know of this project"),
    PERMISSIONS("[TOOL(WHAT)]", "the rules; with a call: what they say of it, and which one"),
    TOOLS("", "the tools that the model has"),
    MCP("", "the MCP servers"),
    MEMORY("", "the notes that runs have kept"),
    THEME("[NAME]", "colours, for dark or light; alone: which there are"),
    RESUME("[ID]", "go on with another session; alone: which there are"),
    NEW("", "a new session"),
    CLEAR("", "the same"),
    EXIT("", "leave; so does Ctrl-D"),
    QUIT("", "the same");

    private static final int WIDTH = 26; // columns of what is typed
    private static final String INDENT = "  ";

    private static final Map<String, String> OTHERS = new LinkedHashMap<>();

    static {
        OTHERS.put("/NAME WORDS", "a command of yours or the project's (agent skills list)");
        OTHERS.put("!COMMAND", "runs a command; the next task tells the model what it printed");
        OTHERS.put("!!COMMAND", "runs a command and tells the model nothing");
        OTHERS.put("@PATH", "Tab completes the path of a file; an image is shown to the model");
    }

    private static final String KEYS =
            """
            Alt-Enter begins a new line, Ctrl-X Ctrl-E opens $EDITOR, Ctrl-R searches what was typed. \
            Ctrl-C clears what is typed; twice it leaves.
            While a run works: Enter queues a task, Enter again tells it the model before its next \
            step, Up takes it back, Esc or Ctrl-C stops the run.
            """;

    private final String argument;
    final String meaning;

    ChatWord(String argument, String meaning) {
        this.argument = argument;
        this.meaning = meaning;
    }

    /**
     * A word and what was said behind it.
     *
     * @param argument empty if nothing was
     */
    record Said(ChatWord word, String argument) {
        /** Whether it can have that behind it. */
        boolean fits() {
            return !word.argument.isEmpty() || argument.isEmpty();
        }
    }

    /** Empty for whatever is a task, also for a command of the user's or the project's own. */
    static Optional<Said> of(String text) {
        String[] words = text.strip().split("\\s+", 2);
        for (ChatWord word : values()) {
            if (words[0].equals(word.written())) {
                String argument = words.length > 1 ? words[1] : "";
                return Optional.of(new Said(word, argument));
            }
        }
        return Optional.empty();
    }

    /** A line for what may be a mistyped word; empty if none is near. */
    static String suggestion(String text) {
        String first = text.strip().split("\\s+", 2)[0];
        List<String> written = Arrays.stream(values()).map(ChatWord::written).toList();
        String suggestion = first.startsWith("/") ? Suggestion.among(first, written) : "";
        return suggestion.isEmpty() ? "" : INDENT + suggestion.substring(2) + "\n";
    }

    /**
     * What can be typed, and what it does, in two columns; on a narrow screen one below the other.
     */
    static String help(int columns) {
        StringBuilder text = new StringBuilder();
        for (ChatWord word : values()) {
            String form = word.written() + (word.argument.isEmpty() ? "" : " " + word.argument);
            text.append(row(form, word.meaning, columns));
        }
        OTHERS.forEach((form, meaning) -> text.append(row(form, meaning, columns)));
        return text.append(TextFlow.wrapped(KEYS, columns)).toString();
    }

    private static String row(String form, String meaning, int columns) {
        boolean narrow = columns < 2 * WIDTH;
        int indent = narrow ? INDENT.length() * 3 : INDENT.length() + WIDTH;
        String start = INDENT + form + (narrow ? "\n" : " ".repeat(WIDTH - form.length()));
        String lines = TextFlow.wrapped(meaning, columns - indent).stripTrailing();
        return (narrow ? start + " ".repeat(indent) : start)
                + lines.replace("\n", "\n" + " ".repeat(indent))
                + "\n";
    }

    String written() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }
}
