package dev.agentloop.cli.batch;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.ThisProgram;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.SystemTime;
import dev.agentloop.git.Git;
import dev.agentloop.orchestration.DiffedRuns;
import dev.agentloop.orchestration.ProcessRuns;
import dev.agentloop.orchestration.Runs;
import dev.agentloop.orchestration.TimedRuns;
import dev.agentloop.orchestration.WorkStamp;
import dev.agentloop.orchestration.Worktrees;
import dev.agentloop.output.SafeText;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.report.Report;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** What every command has that starts runs: where, by what, who listens, and how it is stopped. */
final class RunStarter implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2); // with one command of git

    private final Invocation invocation;
    private final boolean quiet;
    private final Cancellation interrupts = new Cancellation();
    private final ProcessRuns runs;
    private final Path workspace;
    private final ReportFiles reports;
    private final Signals signals;
    private final ProcessRunner gitRunner;
    private volatile @Nullable Path place; // of work trees

    private RunStarter(Invocation invocation, ParseResult arguments, Path workspace)
            throws UsageException {
        this.reports = ReportFiles.of(arguments, invocation);
        this.invocation = invocation;
        this.quiet = Specs.has(arguments, "--quiet");
        this.workspace = workspace;
        this.gitRunner = new ProcessRunner(invocation.environment(), List.of());
        this.runs =
                new ProcessRuns(
                        new ProcessRunner(invocation.environment(), List.of()),
                        ThisProgram.plain(),
                        invocation.environment());
        this.signals =
                invocation.ownsProcess()
                        ? Signals.patient(interrupts, invocation.streams(), new Forced())
                        : Signals.none();
    }

    static RunStarter of(ParseResult arguments, Invocation invocation) throws UsageException {
        String named = RunOption.CWD.text(arguments);
        Path folder = invocation.currentDirectory().resolve(named);
        if (!Files.isDirectory(folder)) {
            throw new UsageException(
                    "The workspace " + folder + " is not a folder. Choose one with -C DIR.");
        }
        try {
            return new RunStarter(invocation, arguments, folder.toRealPath());
        } catch (IOException e) {
            throw new UsageException("The workspace " + folder + " cannot be read.");
        }
    }

    Runs runs() {
        return runs(null);
    }

    Path workspace() {
        return workspace;
    }

    Cancellation interrupts() {
        return interrupts;
    }

    boolean isInterrupted() {
        return interrupts.cause().filter(Cause.Interrupt.class::isInstance).isPresent();
    }

    /** Falls with a signal, and when the time is over. */
    Cancellation within(@Nullable Duration timeout) {
        Cancellation all = interrupts.child().cancellation();
        if (timeout != null) {
            new SystemTime().alarm(timeout, () -> all.cancel(new Cause.RunDeadline()));
        }
        return all;
    }

    /**
     * The runs, each within what is left of the time; with what each has changed, if a report is to
     * show it.
     *
     * @param timeout for all together, from now on; null for none
     */
    Runs runs(@Nullable Duration timeout) {
        Runs timed = timeout == null ? runs : new TimedRuns(runs, timeout, new SystemTime());
        return reports.areWanted()
                ? new DiffedRuns(timed, git(), invocation.secrets()::mask)
                : timed;
    }

    /**
     * Writes the report, if one was asked for; what the runs have come to may be of any kind.
     *
     * @return the exit code: that of the runs, but not success without the report
     */
    int write(Report report, int code) {
        if (!reports.areWanted()) {
            return code;
        }
        String page = invocation.secrets().mask(report.html());
        int end = code;
        for (Path file : reports.files()) {
            String trouble = ReportFiles.write(file, page);
            if (trouble.isEmpty()) {
                tell("The report is in " + SafeText.line(file.toString()));
            } else {
                invocation.streams().printError(trouble + "\n");
                end = end == 0 ? ExitCode.FAILED.code() : end;
            }
        }
        return end;
    }

    /** Work trees of the workspace's repository, in a folder of the program's own. */
    Worktrees worktrees() throws UsageException {
        try {
            Git git = git().orElseThrow(() -> new IOException("there is no git on the PATH"));
            String id =
                    workspace.getFileName() + "-" + UUID.randomUUID().toString().substring(0, 8);
            Path folder = trees().resolve(id);
            place = folder;
            return Worktrees.of(
                    git,
                    workspace,
                    new Worktrees.Place(
                            folder, Boundaries.EACH_TREE_ALONE, Boundaries.thisProcess()));
        } catch (IOException e) {
            throw new UsageException(
                    "work trees need a repository: "
                            + SafeText.line(String.valueOf(e.getMessage())));
        }
    }

    private Optional<Git> git() {
        return Git.find(gitRunner, workspace, PATIENCE, new Cancellation());
    }

    /** Of the work in the workspace: another one when that has changed. */
    Supplier<String> stamp() {
        return new WorkStamp(workspace, git());
    }

    /** A second signal: nothing more is committed, so it is said where the work is. */
    private final class Forced implements Signals.ForcedEnd {
        @Override
        public void killChildren() {
            runs.killAll();
            Path trees = place;
            try {
                if (trees != null) {
                    Files.deleteIfExists(trees.resolve(Boundaries.EACH_TREE_ALONE));
                }
            } catch (IOException e) {
                return; // it means nothing any more once this process is gone
            }
        }

        @Override
        public void lastWords() {
            if (place != null && Files.isDirectory(place)) {
                invocation.streams().printError("What the tasks did is in " + place + "\n");
            }
        }
    }

    /** Not where our own state is: no run may write there. */
    private Path trees() {
        Path data = invocation.xdg("XDG_DATA_HOME", ".local/share");
        return data.resolveSibling("agent-worktrees");
    }

    /** One line of progress for a person; what others have said is made safe before. */
    void tell(String line) {
        if (!quiet) {
            invocation.streams().printError(line + "\n");
        }
    }

    @Override
    public void close() {
        runs.close();
        gitRunner.killAll();
        signals.close();
    }
}
