package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.terminal.TerminalStyle;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SavedSession;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.Optional;

/** What stands above the line that a person types in a chat. */
final class ChatPrompt {
    static final String SIGN = "> ";

    private final Invocation invocation;
    private final ChatRuns runs;
    private final ChatViews views;

    ChatPrompt(Invocation invocation, ChatRuns runs, ChatViews views) {
        this.invocation = invocation;
        this.runs = runs;
        this.views = views;
    }

    /** At the beginning: program and folder. The first task says which model and which sandbox. */
    String header() {
        String model = runs.model().isEmpty() ? "" : "  " + SafeText.line(runs.model());
        String folder = SafeText.line(shortened(invocation.currentDirectory()));
        return "agent "
                + Version.text()
                + model
                + "  "
                + folder
                + "\nType a task. /help lists words, @ and Tab find files, ! runs a command.\n";
    }

    private String shortened(Path folder) {
        Path home = invocation.home();
        return folder.startsWith(home) && !folder.equals(home)
                ? "~/" + home.relativize(folder)
                : folder.toString();
    }

    /** The sign, and above it what the next task goes on with. */
    String text() {
        Optional<SavedSession> session =
                runs.session().isEmpty() ? Optional.empty() : views.session();
        return session.map(this::standing).orElse("") + SIGN;
    }

    private String standing(SavedSession session) {
        String model = runs.model().isEmpty() ? session.summary().model() : runs.model();
        String agent = runs.agent().isEmpty() ? session.summary().agent() : runs.agent();
        StringBuilder line = new StringBuilder(SafeText.line(model));
        line.append(", agent ").append(SafeText.line(agent));
        if (session.measure().counted() > 0) {
            line.append(", %,d tokens in the context".formatted(session.measure().counted()));
        }
        if (session.usd() != null && session.usd().signum() > 0) {
            line.append(", $").append(session.usd().setScale(4, RoundingMode.HALF_UP));
        }
        boolean terminal = invocation.streams().outIsTerminal();
        return TerminalStyle.of(invocation.environment(), terminal).dim(line.toString()) + "\n";
    }
}
