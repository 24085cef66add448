package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several tasks at once, each in a work tree and on a branch of its own. However a task ends, what
 * it has changed is on its branch.
 */
public final class ParallelTasks {
    private static final int MOST_NAME = 40; // characters of a branch behind agent/
    private static final int MOST_SUBJECT = 60; // characters of a commit's first line

    private final Runs runs;
    private final Worktrees trees;
    private final Wishes wishes;
    private final Consumer<String> progress;
    private final Set<String> names = new HashSet<>();

    /**
     * What is wanted.
     *
     * @param options words for each run
     * @param workers how many run at once
     * @param usd cap for all of them together; null for none
     * @param timeout of each; null for none
     */
    public record Wishes(
            List<String> options,
            int workers,
            @Nullable BigDecimal usd,
            @Nullable Duration timeout) {}

    /**
     * A task and what became of it.
     *
     * @param tree where it worked
     */
    public record Done(
            String name,
            String task,
            Worktrees.Tree tree,
            RunOutcome outcome,
            Worktrees.Harvest harvest) {}

    /**
     * @param progress takes a line for a person
     */
    public ParallelTasks(Runs runs, Worktrees trees, Wishes wishes, Consumer<String> progress) {
        this.runs = runs;
        this.trees = trees;
        this.wishes = wishes;
        this.progress = progress;
    }

    /**
     * Runs them all; in the order of the tasks.
     *
     * @throws IOException when a work tree cannot be made; then no task was begun
     */
    public List<Done> run(List<String> tasks, SharedBudget purse, Cancellation cancellation)
            throws IOException {
        List<Supplier<Done>> work = new ArrayList<>();
        for (Job job : jobs(tasks, purse)) {
            work.add(() -> one(job, purse, cancellation));
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(wishes.workers())) {
            List<Future<Done>> futures = new ArrayList<>();
            work.forEach(one -> futures.add(pool.submit(one::get)));
            List<Done> done = new ArrayList<>();
            for (Future<Done> future : futures) {
                done.add(future.get());
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** All or none: what cannot be begun leaves nothing behind. */
    private List<Job> jobs(List<String> tasks, SharedBudget purse) throws IOException {
        List<SharedBudget.Part> parts = new ArrayList<>();
        for (int left = tasks.size(); left > 0; left--) {
            Optional<SharedBudget.Part> part = purse.take(left);
            parts.add(
                    part.orElseThrow(() ->
                            new IOException(
                                    "--budget "
                                            + purse.total()
                                            + " is too little to divide by "
                                            + tasks.size()
                                            + " tasks")));
        }
        List<Job> jobs = new ArrayList<>();
        try {
            for (String task : tasks) {
                String name = name(task);
                Worktrees.Tree tree = trees.add(name, trees.freeBranch("agent/" + name));
                jobs.add(new Job(name, task, tree, parts.get(jobs.size())));
            }
            return jobs;
        } catch (IOException e) {
            for (Job job : jobs) {
                trees.discard(job.tree());
            }
            throw e;
        }
    }

    private record Job(String name, String task, Worktrees.Tree tree, SharedBudget.Part part) {}

    private Done one(Job job, SharedBudget purse, Cancellation cancellation) {
        RunOrder order =
                new RunOrder(
                        wishes.options(),
                        job.task(),
                        job.tree().workspace(),
                        job.part().usd(),
                        wishes.timeout());
        RunOutcome outcome =
                cancellation.isCancelled()
                        ? RunOutcome.notStarted("the command was interrupted before it began")
                        : begin(job.name(), order, cancellation);
        purse.settle(job.part(), outcome.usd());
        Worktrees.Harvest harvest = harvest(job.tree(), job.task(), outcome);
        progress.accept(job.name() + ": " + outcome.status() + " (" + outcome.stopReason() + ")");
        return new Done(job.name(), job.task(), job.tree(), outcome, harvest);
    }

    private RunOutcome begin(String name, RunOrder order, Cancellation cancellation) {
        progress.accept(name + ": begins");
        return runs.run(order, cancellation);
    }

    private Worktrees.Harvest harvest(Worktrees.Tree tree, String task, RunOutcome outcome) {
        String first = task.strip().lines().findFirst().orElse("task");
        String subject = first.length() > MOST_SUBJECT ? first.substring(0, MOST_SUBJECT) : first;
        String message = "agent: " + subject + "\n\nThe run ended: " + outcome.stopReason() + ".\n";
        synchronized (trees) {
            try {
                return trees.harvest(tree, message);
            } catch (IOException e) {
                return Worktrees.Harvest.untouched(String.valueOf(e.getMessage()));
            }
        }
    }

    /** From the first words of the task, which a person recognizes; each once. */
    private String name(String task) {
        String words =
                task.toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9]+", "-")
                        .replaceAll("^-+|-+$", "");
        String cut = words.length() > MOST_NAME ? words.substring(0, MOST_NAME) : words;
        String wish = cut.isBlank() ? "task" : cut.replaceAll("-+$", "");
        String name = wish;
        for (int i = 2; !names.add(name); i++) {
            name = wish + "-" + i;
        }
        return name;
    }
}
