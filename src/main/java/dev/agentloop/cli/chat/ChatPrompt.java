package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.terminal.Footer;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SavedSession;
import java.nio.file.Path;
import java.util.Optional;

/** What stands around the line that a person types in a chat. */
final class ChatPrompt {
    static final String SIGN = "> ";

    private final Invocation invocation;
    private final ChatRuns runs;
    private final ChatViews views;
    private final Footer footer;

    ChatPrompt(Invocation invocation, ChatRuns runs, ChatViews views, Footer footer) {
        this.invocation = invocation;
        this.runs = runs;
        this.views = views;
        this.footer = footer;
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

    /** The footer shows what the next task goes on with. */
    void showStanding() {
        Optional<SavedSession> session =
                runs.session().isEmpty() ? Optional.empty() : views.session();
        session.ifPresentOrElse(this::show, footer::clear);
    }

    private void show(SavedSession session) {
        footer.goesOnWith(
                runs.model().isEmpty() ? session.summary().model() : runs.model(),
                runs.agent().isEmpty() ? session.summary().agent() : runs.agent(),
                session.measure().counted(),
                session.usd());
    }
}
