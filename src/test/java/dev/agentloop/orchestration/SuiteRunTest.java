package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.GitShell;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts as tried, with runs that end as they are told to. */
class SuiteRunTest {
    @TempDir private Path folder;

    /** Ends each run alike; all checks pass. */
    private static final class AllAlike implements Runs {
        private final List<Path> begun = Collections.synchronizedList(new ArrayList<>());
        private final int exitCode;
        private final int steps;

        AllAlike(int exitCode, int steps) {
            this.exitCode = exitCode;
            this.steps = steps;
        }

        @Override
        public RunOutcome run(RunOrder order, Cancellation cancellation) {
            begun.add(order.workspace());
            String json =
                    "{\"status\":\"x\",\"stop_reason\":\"x\",\"steps\":%d,\"cost\":{\"usd\":0.01}}";
            return RunOutcome.of(exitCode, json.formatted(steps), "", Duration.ZERO);
        }

        @Override
        public CheckOutcome check(
                String command,
                List<String> options,
                Path workspace,
                Duration timeout,
                Cancellation cancellation) {
            return new CheckOutcome(command, 0, "");
        }
    }

    private List<SuiteRun.Trial> trials(Runs runs, String usd) throws Exception {
        Path main = Files.createDirectories(folder.resolve("main")).toRealPath();
        GitShell.run(main, "git init -q -b main; git commit -q --allow-empty -m one");
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", "/nonexistent");
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        Git git = Git.find(runner, main, Duration.ofMinutes(1), new Cancellation()).orElseThrow();
        List<Suite.Task> tasks =
                List.of(
                        new Suite.Task("b-c", "Do it.", List.of("true")),
                        new Suite.Task("c", "Do it.", List.of("true")));
        List<Suite.Variant> variants =
                List.of(new Suite.Variant("a", List.of()), new Suite.Variant("a-b", List.of()));
        SuiteRun.Wishes wishes = new SuiteRun.Wishes(List.of(), 2, null, Duration.ofMinutes(1));
        Worktrees.Place place = new Worktrees.Place(folder.resolve("trees"), ".alone", "me");
        try (Worktrees trees = Worktrees.of(git, main, place)) {
            SharedBudget purse = new SharedBudget(usd.isEmpty() ? null : new BigDecimal(usd));
            return new SuiteRun(runs, trees, wishes, purse, _ -> {})
                    .run(new Suite("s", tasks, variants, 1), new Cancellation());
        }
    }

    @Test
    @DisplayName("eval: names that read alike in one another's place are different trees")
    void names() throws Exception {
        AllAlike runs = new AllAlike(0, 1);
        List<SuiteRun.Trial> trials = trials(runs, "");

        assertTrue(trials.stream().allMatch(SuiteRun.Trial::passed), trials::toString);
        assertEquals(4, runs.begun.stream().distinct().count());
    }

    @Test
    @DisplayName("eval: a run that has not asked its model has not passed, whatever the checks say")
    void silentRuns() throws Exception {
        for (SuiteRun.Trial trial : trials(new AllAlike(2, 0), "")) {
            assertFalse(trial.passed());
            assertTrue(trial.refused());
        }
    }

    @Test
    @DisplayName("eval: without money no run begins, and that is no result")
    void emptyPurse() throws Exception {
        AllAlike runs = new AllAlike(0, 1);
        List<SuiteRun.Trial> trials = trials(runs, "0.000001");

        assertTrue(trials.subList(0, 3).stream().allMatch(SuiteRun.Trial::refused));
        assertEquals(1, runs.begun.size());
        assertEquals("budget_exceeded", trials.getFirst().outcome().stopReason());
        assertEquals(2, trials.getFirst().outcome().exitCode());
    }

    @Test
    @DisplayName("eval: a tree that cannot be made costs one trial, not all results")
    void oneTreeMissing() throws Exception {
        Files.createDirectories(folder.resolve("trees/2-a-c-1/in-the-way"));
        List<SuiteRun.Trial> trials = trials(new AllAlike(0, 1), "");

        assertTrue(trials.get(0).passed());
        assertEquals("not_started", trials.get(1).outcome().stopReason());
        assertTrue(trials.get(2).passed() && trials.get(3).passed(), trials::toString);
    }
}
