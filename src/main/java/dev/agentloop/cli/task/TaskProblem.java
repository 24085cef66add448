package dev.agentloop.cli.task;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableException;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** How commands about submitted tasks tell that something cannot be, also to a script. */
final class TaskProblem {
    private static final String NOT_DONE = "not_done";
    private static final String UNREACHABLE = "engine_error";

    private TaskProblem() {}

    /** Does a command's work; what cannot be is told, with {@code --json} as one object too. */
    static int telling(ParseResult arguments, Invocation invocation, RunsCommand.Work work)
            throws Exception {
        boolean json = Specs.has(arguments, "--json");
        try {
            return work.run(arguments, invocation);
        } catch (DurableException e) {
            return of(e).report(invocation.streams(), json);
        }
    }

    /** There is no result yet. */
    static CommandProblem notDone(String id, Tasks.View view) {
        return failed(
                NOT_DONE,
                "task "
                        + id
                        + " is not done, it is "
                        + view.state()
                        + ". Add --wait to wait for its end.",
                true);
    }

    /** An engine that refuses will do so again; one that cannot be asked may be there later. */
    private static CommandProblem of(DurableException e) {
        String message = String.valueOf(e.getMessage());
        return e instanceof DurableException.Refused refused
                ? failed(refused.code(), message, false)
                : failed(UNREACHABLE, message, true);
    }

    private static CommandProblem failed(String code, String message, boolean retryable) {
        return new CommandProblem(ExitCode.FAILED, code, message, retryable, Optional.empty());
    }
}
