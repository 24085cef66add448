package dev.agentloop.cli.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What can be said at the prompt of a chat besides tasks. */
enum ChatWord {
    HELP("", "this list"),
    MODEL("PROVIDER/MODEL", "another model, from the next task on"),
    AGENT("NAME", "another agent, from the next task on (agent agents list)"),
    UNDO("", "files as they were before the last task; says first what it would do"),
    COMPACT("", "make the conversation shorter by a summary"),
    NEW("", "a new session"),
    EXIT("", "leave; so does Ctrl-D");

    private static final int WIDTH = 24; // columns

    private final String argument;
    private final String meaning;

    ChatWord(String argument, String meaning) {
        this.argument = argument;
        this.meaning = meaning;
    }

    /**
     * A word and what was said behind it.
     *
     * @param argument empty if nothing was
     */
    record Said(ChatWord word, String argument) {}

    /** Empty for whatever is a task, also for a command of the user's or the project's own. */
    static Optional<Said> of(String text) {
        String[] words = text.strip().split("\\s+", 2);
        for (ChatWord word : values()) {
            if (words[0].equals(word.written())) {
                String argument = words.length > 1 ? words[1] : "";
                boolean fits = !word.argument.isEmpty() || argument.isEmpty();
                return fits ? Optional.of(new Said(word, argument)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    static List<String> allWritten() {
        List<String> words = new ArrayList<>();
        for (ChatWord word : values()) {
            words.add(word.written());
        }
        return words;
    }

    /** One line for each. */
    static String help(String heading) {
        StringBuilder text = new StringBuilder(heading).append("%n");
        for (ChatWord word : values()) {
            String form = word.written() + (word.argument.isEmpty() ? "" : " " + word.argument);
            text.append("  ").append(form).append(" ".repeat(WIDTH - form.length()));
            text.append(word.meaning).append("%n");
        }
        text.append("  /NAME WORDS").append(" ".repeat(WIDTH - 11));
        text.append("a command of yours or the project's (agent skills list)%n");
        text.append("Alt-Enter begins a new line, Ctrl-C clears what is typed; twice it leaves.%n");
        return text.toString();
    }

    private String written() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }
}
