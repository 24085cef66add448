package dev.agentloop.cli.run;

import dev.agentloop.audit.AuditLog;
import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.ProviderKeys;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.cli.setup.AuditFile;
import dev.agentloop.cli.setup.CassetteOptions;
import dev.agentloop.cli.setup.McpStart;
import dev.agentloop.cli.setup.ResultFacts;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.setup.RunTape;
import dev.agentloop.cli.terminal.ChatScreen;
import dev.agentloop.cli.terminal.TerminalTalk;
import dev.agentloop.cli.workspace.RunCircumstances;
import dev.agentloop.cli.workspace.RunSandbox;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.SystemTime;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.Tally;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.replay.Tape;
import dev.agentloop.secret.MaskedEvents;
import dev.agentloop.secret.MaskedJournal;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.NoJournal;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.wiring.AgentWiring;
import dev.agentloop.wiring.SandboxChoice;
import dev.agentloop.wiring.SecretFiles;
import dev.agentloop.wiring.WiredRun;
import dev.agentloop.wiring.model.Providers;
import dev.agentloop.wiring.prompt.ContextManagers;
import dev.agentloop.wiring.run.McpServers;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * One run from the parsed command line to the exit code. Whatever happens, exactly one result is
 * reported: a refusal to start is a result too.
 */
public final class RunExecution {
    private final ParseResult arguments;
    private final Invocation invocation;
    private final RunPreparation preparation;
    private final boolean compacts;
    private final boolean resumes;
    private final Time time = new SystemTime();
    private final long started = time.nanos();
    private final Cancellation interrupts = new Cancellation();
    private final Tally tally = new Tally();
    private final ResultFacts facts = new ResultFacts();
    private @Nullable LoadedConfig config;
    private @Nullable AuditLog audit;
    private Journal journal = new NoJournal();
    private SessionStore.Presence presence = SessionOpening.NOWHERE;
    private String status = ""; // of the session before
    private @Nullable ProcessRunner processes;
    private final OutputOptions options;
    private final RunOutput output;
    private final EventFan sinks;
    private final EventSink events; // without secrets
    private final ResultReporter reporter;

    public RunExecution(ParseResult arguments, Invocation invocation, SessionChoice choice) {
        this.arguments = arguments;
        this.invocation = invocation;
        this.preparation = new RunPreparation(arguments, invocation, choice);
        this.compacts = choice instanceof SessionChoice.ToCompact;
        this.resumes = !(choice instanceof SessionChoice.Fresh);
        this.options = OutputOptions.of(arguments);
        this.output = new RunOutput(invocation, options.forOutput(), interrupts, time);
        this.sinks = new EventFan(List.of(tally, output));
        this.events = new MaskedEvents(sinks, invocation.secrets());
        this.reporter =
                new ResultReporter(
                        tally,
                        facts,
                        output,
                        events,
                        invocation.secrets(),
                        () -> time.nanos() - started);
    }

    public int execute() {
        Providers.prepare();
        try (Signals early = trapEarly();
                Openings opened = new Openings()) {
            options.check();
            CassetteOptions.check(arguments, resumes);
            RunPreparation.Prepared prepared = prepare();
            AgentWiring wiring = open(prepared, early, opened);
            reporter.started(journal);
            WiredRun wired =
                    opened.add(compacts ? wiring.wireCompaction() : wiring.wire(), WiredRun::close);
            announce(wired, prepared.sandbox());
            return end(wired.agent().execute());
        } catch (UsageException | ConfigException e) {
            return reporter.refuse(StopReason.CONFIG_ERROR, String.valueOf(e.getMessage()));
        } catch (AuthException e) {
            return reporter.refuse(StopReason.AUTH_ERROR, String.valueOf(e.getMessage()));
        } catch (SessionException e) {
            return reporter.refuse(e);
        } catch (Exception | OutOfMemoryError | StackOverflowError e) {
            return reporter.bug(e);
        } finally {
            if (processes != null) {
                processes.killAll(); // also after a bug of ours
            }
            journal.close();
            presence.close();
            preparation.giveUp();
            preparation.tape().ifPresent(RunTape::close);
            AuditFile.close(audit);
        }
    }

    private RunPreparation.Prepared prepare()
            throws UsageException, AuthException, SessionException, IOException {
        facts.model = preparation.chosenModel();
        try {
            LoadedConfig loaded = load();
            preparation.tape().ifPresent(tape -> tape.listen(sinks, time, facts));
            ProviderKeys.tell(invocation.secrets(), invocation.environment(), loaded.config());
            OutputFiles.open(loaded.config(), arguments, invocation, output, time);
            loaded.warnings().forEach(reporter::warn);
            ContextManagers.unheeded(loaded.config()).ifPresent(reporter::warn);
            facts.strictDenials = RunOption.STRICT_DENIALS.isGiven(arguments);
            facts.onPartial = OutputOptions.exitCodeOnPartial(arguments);
            RunPreparation.Prepared prepared = preparation.prepare(loaded);
            config = loaded;
            audit = AuditFile.open(loaded, invocation, sinks, time);
            prepared.blindModels().forEach(reporter::warn);
            facts.learn(prepared);
            facts.answer = prepared.inputs().answer().orElse(null);
            return prepared;
        } finally {
            facts.model = preparation.chosenModel(); // also of a run that will not begin
        }
    }

    /** May ask a person: the live line must not be drawn over that. */
    private LoadedConfig load() throws UsageException, SessionException, IOException {
        output.console().hold();
        try {
            return preparation.load();
        } finally {
            output.console().release();
        }
    }

    /** Begins all that a run needs: its session, its processes, its servers. */
    private AgentWiring open(RunPreparation.Prepared prepared, Signals early, Openings opened)
            throws SessionException, IOException {
        Map<String, McpServerConfig> wanted = McpStart.wanted(arguments, invocation, prepared);
        Optional<SessionStore.Reopened> reopened = openSession(prepared);
        RunSetup setup = preparation.setup(prepared, reopened);
        Tape tape =
                RunTape.begin(preparation, setup, Objects.requireNonNull(config), journal, time);
        ProcessRunner runner = runner(prepared, setup);
        processes = runner;
        output.showWhileRunning(runner::lastLines);
        opened.add(ChildrenAtExit.watch(runner, invocation), ChildrenAtExit::close);
        Signals signals = opened.add(trap(), Signals::close);
        McpServers servers = opened.add(startServers(wanted, prepared, early), McpServers::close);
        servers.warnings().forEach(reporter::warn);
        output.letType(signals, setup.smallestWindow());
        TerminalTalk talk = invocation.talk(output.console());
        RunSurroundings around =
                new RunSurroundings(
                        events,
                        invocation.approver(talk, preparation.trust().keeper()),
                        invocation.person(talk),
                        interrupts,
                        time,
                        journal,
                        runner,
                        invocation.environment(),
                        invocation.secrets(),
                        !invocation.isHeadless(),
                        circumstances(prepared, setup),
                        preparation.trust().always(),
                        servers,
                        tape);
        return new AgentWiring(setup, around, Version.text(), started);
    }

    /** From here on a signal ends the run in order; servers may take their time to start. */
    private McpServers startServers(
            Map<String, McpServerConfig> wanted, RunPreparation.Prepared prepared, Signals early) {
        early.dismiss();
        output.console().hold();
        try {
            return McpStart.start(
                    wanted,
                    arguments,
                    invocation,
                    new McpStart.Place(
                            Objects.requireNonNull(processes),
                            prepared.workspace(),
                            prepared.model().model().info().capabilities().images(),
                            prepared.config()),
                    interrupts);
        } finally {
            output.console().release();
        }
    }

    /** Where a person is there and trusts the workspace, its programs may need their secrets. */
    private List<Path> hidden(RunPreparation.Prepared prepared) {
        boolean trusted = !invocation.isHeadless() && preparation.trust().isTrusted();
        return SecretFiles.in(
                prepared.workspace(), prepared.config(), !trusted, invocation.environment());
    }

    /** The demo's project is our own. */
    private Circumstances circumstances(RunPreparation.Prepared prepared, RunSetup setup)
            throws IOException {
        return RunCircumstances.of(
                arguments,
                invocation,
                Objects.requireNonNull(config),
                new RunCircumstances.Known(
                        setup.workspace(),
                        setup.config().permissions().addDirs(),
                        Objects.requireNonNull(processes).outputFolder(),
                        setup.demo() || preparation.trust().isTrusted(),
                        prepared.sandbox(),
                        Optional.empty()));
    }

    private void announce(WiredRun wired, SandboxChoice sandbox) {
        facts.sandbox = sandbox.tier().wireName();
        preparation.caps().ifPresent(caps -> note(caps, false));
        String changes = compacts ? "" : terms(wired);
        reporter.announce(wired);
        if (!changes.isEmpty()) {
            reporter.warn(changes);
        }
        RunSandbox.warning(sandbox).ifPresent(reporter::warn);
        boolean trusted = preparation.trust().isTrusted();
        RunCircumstances.idle(arguments, invocation, trusted, facts.resumed)
                .forEach(reporter::warn);
    }

    /** Puts them on record, with which the next run compares its own; what has changed by now. */
    private String terms(WiredRun wired) {
        note(preparation.terms().record(wired.tools()), false);
        return preparation.terms().changes(facts.model, facts.workspace, wired.tools());
    }

    /** The result is out by now; that the cassette's last line is missing is said all the same. */
    private void tapeEnded(RunTape tape, JournalRecord.Ended record) {
        boolean told = tape.trouble().isPresent();
        tape.ended(record);
        if (!told && tape.trouble().isPresent()) {
            invocation.streams().printError("agent: " + tape.trouble().get() + "\n");
        }
    }

    private int end(RunResult ran) {
        RunResult result =
                preparation.tape().map(tape -> tape.end(ran, events, tally.problems())).orElse(ran);
        endBackground(result.stopReason() != StopReason.USER_INTERRUPT);
        interrupts
                .cause()
                .filter(Cause.Interrupt.class::isInstance)
                .map(Cause.Interrupt.class::cast)
                .ifPresent(cause -> note(new JournalRecord.Signalled(cause.signal()), false));
        if (audit != null && !audit.failure().isEmpty()) {
            reporter.warn("the audit log is not complete: " + audit.failure());
        }
        preparation.tape().flatMap(RunTape::trouble).ifPresent(reporter::warn);
        if (!journal.isDurable()) {
            reporter.notSaved(journal.failure());
        }
        String signal =
                result.stopReason() == StopReason.USER_INTERRUPT ? Signals.nameOf(interrupts) : "";
        ResultReporter.Verdict verdict = reporter.verdict(result, signal);
        int code = reporter.finish(verdict);
        preparation.tape().ifPresent(tape -> tapeEnded(tape, reporter.record(verdict, code)));
        note(asBefore(reporter.record(verdict, code)), true);
        return code;
    }

    /** A session that is only summed up has not got any further by that. */
    private JournalRecord.Ended asBefore(JournalRecord.Ended end) {
        return compacts
                ? new JournalRecord.Ended(
                        status, end.stopReason(), end.exitCode(), end.steps(), end.millis())
                : end;
    }

    private void endBackground(boolean mayKeep) {
        if (processes == null) {
            return;
        }
        boolean keeps = mayKeep && facts.keepsBackground && !facts.programGoesOn;
        if (keeps) {
            facts.leftRunning = LeftCommands.of(processes.background(), reporter::warn);
        }
        String why = keeps ? " (only without a sandbox a command outlives it)" : "";
        for (String command : processes.background().stopAll()) {
            reporter.warn("ended with the run" + why + ": background command " + command);
        }
    }

    /** What is known of it once it has run. */
    public ResultFacts facts() {
        return facts;
    }

    private void note(JournalRecord record, boolean force) {
        journal.append(List.of(record), force);
    }

    private Optional<SessionStore.Reopened> openSession(RunPreparation.Prepared prepared)
            throws SessionException {
        SessionOpening.Opened opened =
                new SessionOpening(prepared.store(), preparation.wishes()).open(prepared);
        journal = new MaskedJournal(opened.journal(), invocation.secrets());
        presence = opened.presence();
        opened.warnings().forEach(reporter::warn);
        facts.resumed = opened.reopened().isPresent();
        opened.reopened().ifPresent(it -> status = it.session().summary().status());
        return opened.reopened();
    }

    private ProcessRunner runner(RunPreparation.Prepared prepared, RunSetup setup) {
        return new ProcessRunner(
                ProviderKeys.withheld(invocation.environment(), setup.config(), setup.model()),
                setup.config().commands().passEnv(),
                RunSandbox.variables(Objects.requireNonNull(config)),
                prepared.sandbox().in(prepared.workspace(), () -> hidden(prepared)),
                RunSandbox.temporary(invocation, prepared.workspace(), setup.config()));
    }

    private Signals trapEarly() {
        if (!invocation.ownsProcess()) {
            return Signals.none();
        }
        return invocation.chat() == null
                ? Signals.endAtOnce(interrupts, invocation.streams(), forcedEnd())
                : Signals.betweenRuns(interrupts, invocation.streams(), forcedEnd());
    }

    private Signals trap() {
        return invocation.ownsProcess()
                ? Signals.install(interrupts, output::tellStop, forcedEnd())
                : Signals.none();
    }

    private Signals.ForcedEnd forcedEnd() {
        return new Signals.ForcedEnd() {
            @Override
            public void killChildren() {
                if (processes != null) {
                    processes.killAll();
                }
            }

            @Override
            public void lastWords() {
                ChatScreen chat = invocation.chat();
                if (chat != null) {
                    chat.restore().run();
                }
                RunResult cut =
                        new RunResult(StopReason.USER_INTERRUPT, "Interrupted by the user.", 0);
                ResultReporter.Verdict verdict = reporter.verdict(cut, Signals.nameOf(interrupts));
                note(reporter.record(verdict, verdict.exitCode()), false);
                reporter.finish(verdict);
            }
        };
    }
}
