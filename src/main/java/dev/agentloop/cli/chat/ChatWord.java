package dev.agentloop.cli.chat;

import java.util.Locale;
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

    private static final int WIDTH = 26; // columns

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
        text.append("  !COMMAND").append(" ".repeat(WIDTH - 8));
        text.append("runs a command; the next task tells the model what it printed%n");
        text.append("  !!COMMAND").append(" ".repeat(WIDTH - 9));
        text.append("runs a command and tells the model nothing%n");
        text.append("  @PATH").append(" ".repeat(WIDTH - 5));
        text.append("Tab completes the path of a file; an image is shown to the model%n");
        text.append(
                "Alt-Enter begins a new line, Ctrl-X Ctrl-E opens $EDITOR,%nCtrl-R searches what was typed."
                        + " Ctrl-C clears what is typed; twice it leaves.%n"
                        + "While a run works: Enter queues a task, Enter again tells it the model"
                        + " before%nits next step, Up takes it back, Esc or Ctrl-C stops the run.%n");
        return text.toString();
    }

    String written() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }
}
