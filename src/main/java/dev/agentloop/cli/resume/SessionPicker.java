package dev.agentloop.cli.resume;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.output.Plural;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lets a person at the terminal choose one of the sessions of a folder. */
public final class SessionPicker {
    private static final int MOST_SHOWN = 15;
    private static final int LONGEST = 50; // characters of a title

    private final Invocation invocation;
    private final Path folder;

    /**
     * @param folder workspace of the sessions
     */
    public SessionPicker(Invocation invocation, Path folder) {
        this.invocation = invocation;
        this.folder = folder;
    }

    /** The id of the chosen session; empty if none was chosen, or there is none. */
    public Optional<String> choose() throws IOException {
        String here = folder.toRealPath().toString();
        List<SessionSummary> all =
                Sessions.store(invocation.sessions(), null).list().stream()
                        .filter(session -> session.workspace().equals(here))
                        .toList();
        if (all.isEmpty()) {
            say("There is no session of " + here + " yet.");
            return Optional.empty();
        }
        List<SessionSummary> found = all;
        while (true) {
            show(found);
            String said =
                    invocation.question().answer("Number, or words to search for (Enter: none): ");
            if (said.isEmpty()) {
                return Optional.empty();
            }
            int number = said.matches("\\d{1,3}") ? Integer.parseInt(said) : 0;
            if (number >= 1 && number <= Math.min(found.size(), MOST_SHOWN)) {
                return Optional.of(found.get(number - 1).id());
            }
            found = all.stream().filter(session -> holds(session, said)).toList();
        }
    }

    private static boolean holds(SessionSummary session, String words) {
        String text = (session.title() + " " + session.id() + " " + session.model());
        return text.toLowerCase(Locale.ROOT).contains(words.toLowerCase(Locale.ROOT));
    }

    private void show(List<SessionSummary> sessions) {
        for (int i = 0; i < Math.min(sessions.size(), MOST_SHOWN); i++) {
            SessionSummary session = sessions.get(i);
            say(
                    "%3d  %s  %-8s  %s"
                            .formatted(
                                    i + 1,
                                    session.updated().toString().substring(0, 16).replace('T', ' '),
                                    Plural.of(session.steps(), "step"),
                                    SafeText.line(session.title(), LONGEST)));
        }
        int more = sessions.size() - MOST_SHOWN;
        if (more > 0) {
            say("     and " + more + " older ones: search for them");
        } else if (sessions.isEmpty()) {
            say("     No session has these words.");
        }
    }

    private void say(String line) {
        invocation.streams().printError(SafeText.line(line) + "\n");
    }
}
