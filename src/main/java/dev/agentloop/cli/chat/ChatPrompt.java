package dev.agentloop.cli.chat;

import dev.agentloop.cli.terminal.Footer;
import dev.agentloop.session.SavedSession;
import java.util.Optional;

/** What stands around the line that a person types in a chat. */
final class ChatPrompt {
    static final String SIGN = "> ";

    private final ChatRuns runs;
    private final ChatViews views;
    private final Footer footer;

    ChatPrompt(ChatRuns runs, ChatViews views, Footer footer) {
        this.runs = runs;
        this.views = views;
        this.footer = footer;
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
