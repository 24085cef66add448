package dev.agentloop.cli.session;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.output.DiffLines;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.Style;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.undo.Undo;
import dev.agentloop.undo.UndoPlan;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/** {@code agent sessions diff}: how the files that a session changed differ from what they were. */
final class SessionDiff {
    private static final int ALL = Integer.MAX_VALUE / 2; // lines

    private final Invocation invocation;
    private final SessionStore store;
    private final Style style;

    SessionDiff(Invocation invocation, SessionStore store) {
        this.invocation = invocation;
        this.store = store;
        this.style = invocation.style(invocation.streams().outIsTerminal());
    }

    /**
     * Prints it: for a person at a terminal, else as a patch.
     *
     * @param step all changes after it count; 0: those of the whole session
     * @return the exit code
     */
    int print(String id, int step) throws IOException {
        try {
            SavedSession session = store.read(id);
            UndoRun.checkStep(step, session);
            Undo undo = new Undo(UndoRun.roots(session), store.contents(id));
            UndoPlan plan = undo.plan(UndoPlan.behind(session.effects(), step), true);
            StringBuilder text = new StringBuilder();
            plan.changes().stream()
                    .sorted(Comparator.comparing(UndoPlan.Change::path))
                    .forEach(change -> text.append(shown(change, undo)));
            invocation.streams().print(text.toString());
            note(plan, text.isEmpty());
            return ExitCode.SUCCESS.code();
        } catch (SessionException e) {
            return CommandProblem.of(e).report(invocation.streams(), false);
        } catch (UsageException e) {
            return CommandProblem.of(e).report(invocation.streams(), false);
        }
    }

    /** Tells on standard error what the patch on standard output cannot hold. */
    private void note(UndoPlan plan, boolean empty) {
        List<String> notes =
                plan.refusals().stream()
                        .map(refusal -> refusal.path() + ": " + refusal.reason())
                        .toList();
        notes.forEach(
                note -> invocation.streams().printError("note: " + SafeText.line(note) + "\n"));
        if (empty && notes.isEmpty()) {
            invocation.streams().printError("No file differs from what it was.\n");
        }
    }

    private String shown(UndoPlan.Change change, Undo undo) {
        try {
            boolean person = invocation.streams().outIsTerminal();
            String diff = undo.changeSince(change, !person, invocation.secrets()::mask);
            return person ? readable(change, diff) : diff;
        } catch (IOException e) {
            String path = SafeText.line(change.path());
            String reason = SafeText.line(String.valueOf(e.getMessage()));
            invocation.streams().printError("note: " + path + ": " + reason + "\n");
            return "";
        }
    }

    private String readable(UndoPlan.Change change, String diff) {
        String lines = DiffLines.of(diff, style, ALL);
        String path = SafeText.line(change.path());
        return switch (change.action()) {
            case RESTORE -> "Edited " + path + "\n" + lines + "\n";
            case RECREATE -> "Deleted " + path + "\n" + lines + "\n";
            case DELETE -> "Created " + path + "\n" + lines + "\n";
            case MOVE_BACK -> "Moved " + path + " to " + SafeText.line(change.from()) + "\n";
            case REMOVE_FOLDER -> "";
        };
    }
}
