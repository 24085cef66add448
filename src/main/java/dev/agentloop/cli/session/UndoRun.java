package dev.agentloop.cli.session;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.output.DiffLines;
import dev.agentloop.output.Plural;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.storage.Roots;
import dev.agentloop.undo.Undo;
import dev.agentloop.undo.UndoPlan;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One undo: shows the plan, asks, does it, puts it on record. */
public final class UndoRun {
    private final Invocation invocation;
    private final SessionStore store;
    private final boolean json;
    private final boolean yes;
    private final boolean force;
    private final boolean dryRun;

    UndoRun(ParseResult arguments, Invocation invocation) {
        this.invocation = invocation;
        store = store(invocation);
        json = Specs.has(arguments, "--json");
        yes = Specs.has(arguments, "--yes");
        force = Specs.has(arguments, "--force");
        dryRun = Specs.has(arguments, "--dry-run");
    }

    /** The user's sessions, as far as no configuration has a say in them. */
    public static SessionStore store(Invocation invocation) {
        return Sessions.store(invocation.sessions(), null);
    }

    static void addOptions(CommandSpec spec) {
        spec.addOption(Specs.flag("Do it without asking.", "-y", "--yes"));
        spec.addOption(
                Specs.flag("Also put back files that somebody else has changed since.", "--force"));
    }

    static int step(String text) throws UsageException {
        try {
            int step = Integer.parseInt(text);
            if (step >= 0) {
                return step;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageException("a step is a number from 0, not " + text + ".");
    }

    /** A step that a session has not come to is a mistake, and nothing is undone for it. */
    static void checkStep(int step, SavedSession session) throws UsageException {
        if (step > session.steps()) {
            throw new UsageException(
                    "the session has "
                            + Plural.of(session.steps(), "step")
                            + ", so there is no step "
                            + step
                            + ".");
        }
    }

    /** What is to be undone. */
    private interface Wish {
        /** Refuses what the session cannot do. */
        default void check(SavedSession session) throws UsageException {}

        List<FileEffect> of(SavedSession session);

        /** What to say if it is nothing. */
        String nothing(SavedSession session);

        /** Behind which step the history is cut as well. */
        default OptionalInt rewindTo() {
            return OptionalInt.empty();
        }
    }

    private record LastPrompt() implements Wish {
        @Override
        public List<FileEffect> of(SavedSession session) {
            return UndoPlan.ofPrompt(session.effects(), session.prompts());
        }

        @Override
        public String nothing(SavedSession session) {
            return session.effects().stream().allMatch(FileEffect::undone)
                    ? "No change of files is left to undo."
                    : "The last prompt has changed no files, or they are undone. Earlier changes:"
                            + " agent undo --to STEP.";
        }
    }

    private record Behind(int step, OptionalInt rewindTo) implements Wish {
        @Override
        public void check(SavedSession session) throws UsageException {
            checkStep(step, session);
        }

        @Override
        public List<FileEffect> of(SavedSession session) {
            return UndoPlan.behind(session.effects(), step);
        }

        @Override
        public String nothing(SavedSession session) {
            return "After step " + step + " no change of files is left to undo.";
        }
    }

    int lastPrompt(Optional<String> id) throws IOException {
        return guarded(id, new LastPrompt());
    }

    int behind(Optional<String> id, int step) throws IOException {
        return guarded(id, new Behind(step, OptionalInt.empty()));
    }

    /** Files and history, both or neither. */
    int rewind(String id, int step) throws IOException {
        return guarded(Optional.of(id), new Behind(step, OptionalInt.of(step)));
    }

    private int guarded(Optional<String> id, Wish wish) throws IOException {
        try {
            String chosen = id.isPresent() ? id.get() : last();
            wish.check(store.survey(chosen, SessionStore.ALL)); // a refusal writes nothing
            if (dryRun) {
                return look(store.read(chosen), wish, store.contents(chosen));
            }
            SessionStore.Reopened reopened = store.reopen(chosen);
            try (Journal journal = reopened.journal()) {
                reopened.session().notes().forEach(this::note);
                Undo undo = new Undo(roots(reopened.session()), journal.blobs().orElseThrow());
                Wanted wanted = wanted(reopened.session(), wish, undo);
                OptionalInt over = refusal(wanted, wish);
                return over.isPresent() ? over.getAsInt() : undo(wanted, journal, undo);
            }
        } catch (SessionException e) {
            return refuse(CommandProblem.of(e), json, invocation);
        } catch (UsageException e) {
            return refuse(CommandProblem.of(e), json, invocation);
        }
    }

    private String last() throws SessionException {
        Path here = invocation.currentDirectory();
        return store.last(here)
                .orElseThrow(() ->
                        new SessionException(
                                "There is no session of "
                                        + here
                                        + ". See agent sessions list"
                                        + " --all, and name one."));
    }

    /** Where the session worked; a link in its place leads somewhere else. */
    static Roots roots(SavedSession session) throws SessionException {
        Path workspace = Path.of(session.summary().workspace());
        if (!Files.isDirectory(workspace, LinkOption.NOFOLLOW_LINKS)) {
            throw new SessionException(
                    "The workspace of the session, " + workspace + ", is no folder any more.");
        }
        return session.roots();
    }

    /** What is to be done, as it has been shown. */
    private record Wanted(
            SavedSession session,
            List<FileEffect> effects,
            UndoPlan plan,
            UndoReport report,
            OptionalInt rewindTo) {
        boolean isNothing() {
            return plan.changes().isEmpty() && rewindTo.isEmpty();
        }
    }

    private Wanted wanted(SavedSession session, Wish wish, Undo undo) throws IOException {
        List<FileEffect> effects = wish.of(session);
        UndoPlan plan = undo.plan(effects, force);
        OptionalInt step = wish.rewindTo();
        boolean rewinds = step.isPresent() && step.getAsInt() < session.steps();
        Wanted wanted =
                new Wanted(
                        session,
                        effects,
                        plan,
                        new UndoReport(session.summary(), plan),
                        rewinds ? step : OptionalInt.empty());
        if (!json && !(plan.isEmpty() && !rewinds)) {
            String cut = rewinds ? "  forget        all after step " + step.getAsInt() + "\n" : "";
            String text = wanted.report().text(change -> diff(change, undo));
            invocation.streams().print(text + cut);
        }
        return wanted;
    }

    /** A person sees how each file would change; a script gets one line for each. */
    private String diff(UndoPlan.Change change, Undo undo) {
        if (!invocation.streams().outIsTerminal()) {
            return "";
        }
        try {
            String text = undo.changeBy(change, invocation.secrets()::mask);
            return DiffLines.of(text, invocation.style(true));
        } catch (IOException e) {
            return ""; // doing it says why it cannot be done
        }
    }

    /** The exit code, if nothing can be done. */
    private OptionalInt refusal(Wanted wanted, Wish wish) throws IOException {
        boolean rewinds = wanted.rewindTo().isPresent();
        if (wanted.plan().isEmpty() && !rewinds) {
            String nothing = wish.nothing(wanted.session());
            return OptionalInt.of(end(wanted.report(), ExitCode.SUCCESS, nothing));
        }
        if (rewinds && !wanted.plan().refusals().isEmpty()) {
            return OptionalInt.of(
                    end(
                            wanted.report(),
                            ExitCode.PARTIAL,
                            "Nothing was changed: files and history go back together. See agent"
                                    + " undo."));
        }
        return wanted.isNothing()
                ? OptionalInt.of(end(wanted.report(), ExitCode.PARTIAL, "Nothing was changed."))
                : OptionalInt.empty();
    }

    /** What would be done, with its exit code; the session is not taken up. */
    private int look(SavedSession session, Wish wish, Blobs blobs)
            throws SessionException, IOException {
        if (session.effects().stream().anyMatch(effect -> effect.after() == null)) {
            note(
                    "a call was cut off while it changed files: when the session is taken up, they"
                            + " are put back first, which is not done here.");
        }
        Wanted wanted = wanted(session, wish, new Undo(roots(session), blobs));
        OptionalInt over = refusal(wanted, wish);
        if (over.isPresent()) {
            return over.getAsInt();
        }
        boolean whole = wanted.plan().refusals().isEmpty();
        return end(
                wanted.report(),
                whole ? ExitCode.SUCCESS : ExitCode.PARTIAL,
                "Nothing was changed (--dry-run).");
    }

    private int undo(Wanted wanted, Journal journal, Undo undo) throws IOException {
        if (!yes && invocation.isHeadless()) {
            return end(
                    wanted.report(),
                    ExitCode.CONFIG_ERROR,
                    "Nothing was changed. Repeat it with --yes to do this.");
        }
        if (!yes && !invocation.question().isAgreed("Do this?")) {
            return end(wanted.report(), ExitCode.FAILED, "Nothing was changed.");
        }
        return apply(wanted, journal, undo);
    }

    private int apply(Wanted wanted, Journal journal, Undo undo) throws IOException {
        List<UndoPlan.Refusal> failed = new ArrayList<>();
        JournalRecord.Undone done = undo.apply(wanted.plan(), wanted.effects(), failed);
        List<JournalRecord> records = new ArrayList<>();
        if (!wanted.effects().isEmpty()) {
            records.add(done);
        }
        if (done.refused().isEmpty()) {
            wanted.rewindTo().ifPresent(step -> records.add(new JournalRecord.Rewound(step)));
        }
        journal.append(records, true);
        UndoReport report = wanted.report();
        report.done(failed);
        if (!journal.isDurable()) {
            return end(report, ExitCode.FAILED, journal.failure());
        }
        return end(
                report,
                done.refused().isEmpty() ? ExitCode.SUCCESS : ExitCode.PARTIAL,
                done.restored().size()
                        + " put back, "
                        + done.refused().size()
                        + " left as they are.");
    }

    private int end(UndoReport report, ExitCode code, String message) throws IOException {
        if (json) {
            invocation.streams().print(report.json(code, message));
        } else {
            invocation.streams().print(report.failures() + message + "\n");
        }
        return code.code();
    }

    /** Tells that there is nothing that could be put back; the exit code. */
    static int refuse(CommandProblem problem, boolean json, Invocation invocation)
            throws IOException {
        problem.tell(invocation.streams(), "agent");
        if (json) {
            invocation.streams().print(UndoReport.error(problem));
        }
        return problem.exit().code();
    }

    private void note(String note) {
        invocation.streams().printError("note: " + SafeText.block(note) + "\n");
    }
}
