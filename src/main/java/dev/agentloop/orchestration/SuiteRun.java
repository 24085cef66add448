package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries each task with each variant, so many times, each time in a fresh work tree of the same
 * commit. Checks decide, not the model's word.
 */
public final class SuiteRun {
    private static final Set<Integer> NOT_TRIED = Set.of(3, 4, 130); // configuration, key, signal

    private final Runs runs;
    private final Worktrees trees;
    private final Wishes wishes;
    private final SharedBudget purse;
    private final Consumer<String> progress;

    /**
     * What is wanted.
     *
     * @param options words for each run, before those of its variant
     * @param workers how many run at once
     * @param timeout of each; null for none
     */
    public record Wishes(
            List<String> options, int workers, @Nullable Duration timeout, Duration checkTimeout) {}

    /** One run and what decided about it. */
    public record Trial(
            String task,
            String variant,
            int number,
            RunOutcome outcome,
            List<Runs.CheckOutcome> checks) {
        /** A run that ended early may have done its task all the same; one that never began not. */
        public boolean passed() {
            return !refused()
                    && !checks.isEmpty()
                    && checks.stream().allMatch(Runs.CheckOutcome::passed);
        }

        /** Whether it could not be tried; that says nothing about a model. */
        public boolean refused() {
            boolean silent = outcome.steps() == 0 && outcome.exitCode() != 0; // never asked a model
            return silent || NOT_TRIED.contains(outcome.exitCode());
        }
    }

    /**
     * What a variant has come to in the runs that could be tried.
     *
     * @param usd mean cost of a run; null when one is unknown
     * @param millis mean time of a run
     */
    public record Score(
            String variant,
            int passed,
            int runs,
            Interval interval,
            @Nullable BigDecimal usd,
            long millis,
            double steps) {
        public double rate() {
            return runs == 0 ? 0 : (double) passed / runs;
        }
    }

    /**
     * @param progress takes a line for a person
     */
    public SuiteRun(
            Runs runs,
            Worktrees trees,
            Wishes wishes,
            SharedBudget purse,
            Consumer<String> progress) {
        this.runs = runs;
        this.trees = trees;
        this.wishes = wishes;
        this.purse = purse;
        this.progress = progress;
    }

    /** Runs all; in the order of variants, tasks and repetitions. */
    public List<Trial> run(Suite suite, Cancellation cancellation) throws IOException {
        int left = suite.size();
        List<Future<Trial>> futures = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(wishes.workers())) {
            for (Suite.Variant variant : suite.variants()) {
                for (Suite.Task task : suite.tasks()) {
                    for (int i = 1; i <= suite.runs(); i++) {
                        Optional<SharedBudget.Part> part = purse.take(left--);
                        Wanted wanted =
                                new Wanted(task, variant, i, part.orElse(null), futures.size() + 1);
                        futures.add(pool.submit(() -> trial(wanted, cancellation)));
                    }
                }
            }
        }
        List<Trial> trials = new ArrayList<>();
        for (Future<Trial> future : futures) {
            trials.add(result(future));
        }
        return trials;
    }

    private static Trial result(Future<Trial> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException trouble) {
                throw trouble;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * One run that is due.
     *
     * @param part of the money; null if none is left
     * @param place among all; names alone may read alike
     */
    private record Wanted(
            Suite.Task task,
            Suite.Variant variant,
            int number,
            SharedBudget.@Nullable Part part,
            int place) {
        Trial with(RunOutcome outcome, List<Runs.CheckOutcome> checks) {
            return new Trial(task.name(), variant.name(), number, outcome, checks);
        }

        String name() {
            return variant.name() + "-" + task.name() + "-" + number;
        }
    }

    /** What cannot be tried is said of this one alone: others may have cost much. */
    private Trial trial(Wanted wanted, Cancellation cancellation) {
        if (cancellation.isCancelled()) {
            return wanted.with(RunOutcome.notStarted("the command was interrupted"), List.of());
        }
        SharedBudget.Part part = wanted.part();
        if (part == null) {
            return told(wanted, wanted.with(RunOutcome.unpaid(), List.of()));
        }
        Worktrees.Tree tree;
        try {
            synchronized (trees) {
                tree = trees.add(wanted.place() + "-" + wanted.name(), "");
            }
        } catch (IOException e) {
            purse.settle(part, BigDecimal.ZERO);
            String why = String.valueOf(e.getMessage());
            return told(wanted, wanted.with(RunOutcome.notStarted(why), List.of()));
        }
        try {
            return told(wanted, tried(tree, wanted, part, cancellation));
        } finally {
            discard(tree);
        }
    }

    private void discard(Worktrees.Tree tree) {
        try {
            synchronized (trees) {
                trees.discard(tree);
            }
        } catch (IOException e) {
            progress.accept("the work tree " + tree.root() + " stays: " + e.getMessage());
        }
    }

    private Trial tried(
            Worktrees.Tree tree, Wanted wanted, SharedBudget.Part part, Cancellation cancellation) {
        RunOrder order =
                new RunOrder(
                                wishes.options(),
                                wanted.task().prompt(),
                                tree.workspace(),
                                part.usd(),
                                wishes.timeout())
                        .with(wanted.variant().options());
        RunOutcome outcome = runs.run(order, cancellation);
        purse.settle(part, outcome.usd());
        if (cancellation.isCancelled()) {
            return wanted.with(outcome, List.of());
        }
        List<Runs.CheckOutcome> checks = new ArrayList<>();
        for (String check : wanted.task().checks()) {
            checks.add(
                    runs.check(
                            check,
                            wishes.options(),
                            tree.workspace(),
                            wishes.checkTimeout(),
                            cancellation));
        }
        return wanted.with(outcome, checks);
    }

    private Trial told(Wanted wanted, Trial trial) {
        RunOutcome outcome = trial.outcome();
        String end = trial.passed() ? "pass" : "FAIL";
        String why = trial.refused() ? ": " + outcome.error() : "";
        progress.accept(wanted.name() + ": " + end + " (" + outcome.stopReason() + ")" + why);
        return trial;
    }

    /** For each variant; the best first: by its rate, then by its cost. */
    public static List<Score> scores(Suite suite, List<Trial> trials) {
        List<Score> scores = new ArrayList<>();
        for (Suite.Variant variant : suite.variants()) {
            scores.add(
                    score(
                            variant.name(),
                            trials.stream()
                                    .filter(it -> it.variant().equals(variant.name()))
                                    .filter(it -> !it.refused())
                                    .toList()));
        }
        scores.sort((a, b) -> {
            int rate = Double.compare(b.rate(), a.rate());
            return rate != 0 || a.usd() == null || b.usd() == null
                    ? rate
                    : a.usd().compareTo(b.usd());
        });
        return scores;
    }

    private static Score score(String variant, List<Trial> its) {
        int runs = its.size();
        int passed = (int) its.stream().filter(Trial::passed).count();
        BigDecimal usd = BigDecimal.ZERO;
        long millis = 0;
        long steps = 0;
        for (Trial one : its) {
            BigDecimal cost = one.outcome().usd();
            usd = usd == null || cost == null ? null : usd.add(cost);
            millis += one.outcome().took().toMillis();
            steps += one.outcome().steps();
        }
        BigDecimal count = BigDecimal.valueOf(Math.max(1, runs));
        return new Score(
                variant,
                passed,
                runs,
                Interval.of(passed, runs),
                usd == null ? null : usd.divide(count, 8, java.math.RoundingMode.HALF_UP),
                runs == 0 ? 0 : millis / runs,
                runs == 0 ? 0 : (double) steps / runs);
    }
}
