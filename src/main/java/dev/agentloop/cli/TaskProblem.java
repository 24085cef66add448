package dev.agentloop.cli;

import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
        } catch (UsageException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        } catch (DurableException e) {
            return of(e).report(invocation.streams(), json);
        }
    }

    /** Refuses words that cannot be parsed. */
    static OptionalInt refusal(String problem, List<String> words, Invocation invocation)
            throws IOException {
        boolean json = OutputFormat.ofBroken(words) == OutputFormat.JSON;
        return ModelProblem.refusal(problem, json, invocation);
    }

    /** There is no result yet. */
    static ModelProblem notDone(String id, Tasks.View view) {
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
    private static ModelProblem of(DurableException e) {
        String message = String.valueOf(e.getMessage());
        return e instanceof DurableException.Refused refused
                ? failed(refused.code(), message, false)
                : failed(UNREACHABLE, message, true);
    }

    private static ModelProblem failed(String code, String message, boolean retryable) {
        return new ModelProblem(ExitCode.FAILED, code, message, retryable, Optional.empty());
    }
}
