package dev.agentloop.cli.run;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.setup.ResultFacts;
import dev.agentloop.controlfile.ControlNames;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.evaluation.Evaluation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.RunSummary;
import dev.agentloop.event.Tally;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.FileChange;
import dev.agentloop.secret.Secrets;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SessionException;
import dev.agentloop.verification.Verification;
import dev.agentloop.wiring.WiredRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reports exactly one result of a run, and derives status and exit code in one place. */
final class ResultReporter {
    private final Tally tally;
    private final ResultFacts facts;
    private final RunOutput output;
    private final EventSink events;
    private final Secrets secrets;
    private final LongSupplier elapsedNanos;

    ResultReporter(
            Tally tally,
            ResultFacts facts,
            RunOutput output,
            EventSink events,
            Secrets secrets,
            LongSupplier elapsedNanos) {
        this.tally = tally;
        this.facts = facts;
        this.output = output;
        this.events = events;
        this.secrets = secrets;
        this.elapsedNanos = elapsedNanos;
    }

    /** What the run's end comes to. */
    record Verdict(
            StopReason reason,
            Status status,
            int exitCode,
            String text,
            String signal,
            Duration took,
            int steps,
            @Nullable Evaluation evaluation) {}

    /** What is done from here on cannot be resumed. */
    void notSaved(String why) {
        facts.durable = false;
        warn("the session was not saved: " + why);
    }

    void started(Journal journal) {
        facts.sessionId = journal.sessionId();
        facts.journal = journal.location();
    }

    /** The run is wired and begins. */
    void announce(WiredRun wired) {
        facts.costs = wired.agent().run().costs();
        facts.run = wired.agent().run();
        events.emit(
                new AgentEvent.SessionStarted(
                        facts.sessionId,
                        facts.workspace,
                        facts.agent,
                        facts.model,
                        wired.tools(),
                        facts.resumed,
                        facts.sandbox,
                        wired.guidance()));
    }

    /** The run is wired and will tell again what is recorded. */
    void replays(WiredRun wired) {
        facts.costs = wired.agent().run().costs();
        facts.run = wired.agent().run();
    }

    void warn(String message) {
        events.emit(new AgentEvent.Warning(message));
    }

    Verdict verdict(RunResult result, String signal) {
        StopReason reason = result.stopReason();
        boolean strict = facts.strictDenials && !tally.denials().isEmpty();
        Status status = strict && reason == StopReason.LLM_DONE ? Status.PARTIAL : result.status();
        int code = ExitCode.of(reason, status, facts.onPartial);
        Duration took = Duration.ofNanos(elapsedNanos.getAsLong());
        String text = secrets.mask(result.text()); // it goes to files as well
        return new Verdict(
                reason, status, code, text, signal, took, facts.steps(), result.evaluation());
    }

    int finish(Verdict planned) {
        warnOfBuildFiles();
        Verdict verdict = withAnswerKept(planned);
        events.emit(new AgentEvent.Finished(summary(verdict)));
        if (output.isLost()) {
            return output.isPipe() ? ExitCode.PIPE.code() : ExitCode.FAILED.code();
        }
        return verdict.exitCode();
    }

    /** They are ordinary files to edit, but what is in them runs outside of the sandbox. */
    private void warnOfBuildFiles() {
        List<String> names =
                tally.changes().stream()
                        .filter(change -> change.kind() != FileChange.Kind.DELETED)
                        .map(FileChange::path)
                        .filter(path -> ControlNames.isOfBuild(Path.of(path)))
                        .toList();
        boolean told = facts.cassette != null && facts.cassette.replays().equals("run");
        if (!names.isEmpty() && !told) {
            warn(
                    "changed, and run by the next build or test: "
                            + String.join(", ", names)
                            + ". Look at the changes before you build");
        }
    }

    /** What the journal remembers: an answer that nobody got is no success. */
    JournalRecord.Ended record(Verdict verdict, int exitCode) {
        boolean lost = exitCode != verdict.exitCode();
        StopReason reason = lost ? StopReason.OUTPUT_LOST : verdict.reason();
        Status status = lost ? Status.FAILED : verdict.status();
        return new JournalRecord.Ended(
                status.wireName(),
                reason.wireName(),
                exitCode,
                verdict.steps(),
                verdict.took().toMillis());
    }

    /** Only an answer of the model goes to the file; without one the file stays as it was. */
    private Verdict withAnswerKept(Verdict verdict) {
        boolean answer =
                verdict.status() != Status.FAILED
                        && verdict.reason() != StopReason.USER_INTERRUPT
                        && !verdict.text().isBlank();
        Optional<String> trouble = answer ? output.keepAnswer(verdict.text()) : Optional.empty();
        if (trouble.isEmpty()) {
            return verdict;
        }
        events.emit(
                new AgentEvent.Failed(
                        StopReason.OUTPUT_LOST.wireName(), trouble.get(), true, false));
        RunResult lost = new RunResult(StopReason.OUTPUT_LOST, verdict.text(), verdict.steps());
        return verdict(lost, verdict.signal());
    }

    /** The run never began: what is wrong stands in {@code errors[]} and on standard error. */
    int refuse(StopReason reason, String message) {
        return refuse(reason, reason.wireName(), message);
    }

    /** The session that is to go on cannot, or not now. */
    int refuse(SessionException e) {
        StopReason reason = StopReason.SESSION_ERROR;
        String message = String.valueOf(e.getMessage());
        boolean later = e instanceof SessionException.InUse;
        return refuse(reason, new AgentEvent.Failed(reason.wireName(), message, true, later));
    }

    /** The same with a code of its own in {@code errors[]}. */
    int refuse(StopReason reason, String code, String message) {
        return refuse(reason, new AgentEvent.Failed(code, message, true, false));
    }

    private int refuse(StopReason reason, AgentEvent.Failed problem) {
        output.complain(problem.message());
        events.emit(problem);
        return finish(verdict(new RunResult(reason, "", 0), ""));
    }

    /** A bug of ours: one line for the person, the trace in the log file. */
    int bug(Throwable bug) {
        boolean logged = output.logBug(bug);
        String where =
                logged
                        ? "The log file has the details."
                        : "Run again with --log-file FILE and report it.";
        String message = "internal error: " + bug + ". " + where;
        return refuse(StopReason.INTERNAL_ERROR, message);
    }

    private RunSummary summary(Verdict verdict) {
        return new RunSummary(
                facts.sessionId,
                verdict.reason().wireName(),
                verdict.status().wireName(),
                verdict.exitCode(),
                verdict.signal(),
                verdict.text(),
                structured(verdict),
                tally.partialText(),
                tally.problems(),
                tally.warnings(),
                facts.agent,
                facts.model(),
                facts.modelsUsed(),
                facts.steps(),
                tally.toolCalls(),
                verdict.took(),
                tally.apiTook(),
                tally.retries(),
                facts.usage(),
                facts.costs == null ? null : facts.costs.usd(),
                facts.costs == null ? null : facts.costs.capUsd(),
                facts.basis(),
                breakdown(),
                tally.tools(),
                tally.changes(),
                tally.commandsFailed(),
                tally.denials(),
                tally.hooks(),
                facts.run == null ? List.of() : facts.run.planned(),
                verdict.evaluation(),
                facts.run == null ? Verification.NONE : facts.run.checkedWork().verification(),
                facts.leftRunning,
                facts.sandbox,
                facts.journal,
                facts.durable,
                facts.cassette);
    }

    private String structured(Verdict verdict) {
        return facts.answer != null && verdict.reason() == StopReason.LLM_DONE
                ? facts.answer.json(verdict.text()).orElse("")
                : "";
    }

    private List<RunSummary.CostLine> breakdown() {
        List<RunSummary.CostLine> lines = new ArrayList<>();
        if (facts.costs != null) {
            for (Map.Entry<String, CostTracker.Line> line : facts.costs.lines().entrySet()) {
                lines.add(
                        new RunSummary.CostLine(
                                line.getKey(), line.getValue().usd(), line.getValue().tokens()));
            }
        }
        return lines;
    }
}
