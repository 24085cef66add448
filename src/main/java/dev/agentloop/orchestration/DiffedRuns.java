package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.git.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Runs that are looked at: each outcome has what has changed in its work tree while it ran. Git
 * takes both looks from a folder of ours that is made before the run begins, so nothing that the
 * run writes decides what is read.
 *
 * @param git empty where there is none
 * @param mask hides what is secret
 */
public record DiffedRuns(Runs runs, Optional<Git> git, UnaryOperator<String> mask) implements Runs {
    @Override
    public RunOutcome run(RunOrder order, Cancellation cancellation) {
        PrivateGitFolder tree;
        try {
            Git its = git.orElseThrow(() -> new IOException("there is none on the PATH"));
            tree = PrivateGitFolder.around(its, order.workspace());
        } catch (IOException e) {
            return runs.run(order, cancellation).with(WorkDiff.lacking(why(e)));
        }
        try (tree) {
            return run(tree, order, cancellation);
        }
    }

    private RunOutcome run(PrivateGitFolder tree, RunOrder order, Cancellation cancellation) {
        String before;
        try {
            before = look(tree);
        } catch (IOException e) {
            return runs.run(order, cancellation).with(WorkDiff.lacking(why(e)));
        }
        RunOutcome outcome = runs.run(order, cancellation);
        try {
            return outcome.with(WorkDiff.between(tree, before, look(tree), mask));
        } catch (IOException e) {
            return outcome.with(WorkDiff.lacking(why(e)));
        }
    }

    private static String look(PrivateGitFolder tree) throws IOException {
        TreeSnapshot now = TreeSnapshot.of(tree);
        if (now.tree().isEmpty()) {
            throw new IOException(now.trouble());
        }
        return now.tree();
    }

    private static String why(IOException trouble) {
        return "git cannot look at the work tree: " + trouble.getMessage();
    }

    @Override
    public boolean hasTime(Cancellation cancellation) {
        return runs.hasTime(cancellation);
    }

    @Override
    public CheckOutcome check(
            String command,
            List<String> options,
            Path workspace,
            Duration timeout,
            Cancellation cancellation) {
        return runs.check(command, options, workspace, timeout, cancellation);
    }
}
