package dev.agentloop.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.orchestration.CheckedLoop;
import dev.agentloop.orchestration.ParallelTasks;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.Runs;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.orchestration.Suite;
import dev.agentloop.orchestration.SuiteRun;
import dev.agentloop.orchestration.WorkDiff;
import dev.agentloop.orchestration.Worktrees;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of what runs, models and repositories have said and done. */
class ReportPagesTest {
    private static final String EVIL =
            "</pre></details></section></style><script>alert(1)</script><img src=x onerror=alert(1)>"
                    + "\" onclick=\"alert(1) [go](javascript:alert(1)) \u202egnp.exe \u001b[2J";

    private final SharedBudget purse = new SharedBudget(BigDecimal.TEN);

    private static RunOutcome run(String word, String said, String usd, WorkDiff diff) {
        return new RunOutcome(
                2,
                "partial",
                word,
                said,
                word,
                3,
                usd.isEmpty() ? null : new BigDecimal(usd),
                1_000,
                Duration.ofSeconds(150),
                said,
                List.of(word),
                diff);
    }

    private static WorkDiff diff(String name, String text) {
        return new WorkDiff(List.of(new WorkDiff.FileDiff(name, 1, 1, text)), "");
    }

    private static List<Runs.CheckOutcome> check(String text) {
        return List.of(new Runs.CheckOutcome(text, 1, text));
    }

    private EvalReport eval(String text, List<RunOutcome> outcomes) {
        Suite suite =
                new Suite(
                        text,
                        List.of(new Suite.Task(text, text, List.of(text))),
                        List.of(new Suite.Variant(text, List.of(text))),
                        outcomes.size());
        List<SuiteRun.Trial> trials = new ArrayList<>();
        for (RunOutcome outcome : outcomes) {
            trials.add(new SuiteRun.Trial(text, text, trials.size() + 1, outcome, check(text)));
        }
        return new EvalReport(
                2, "c0ffee", BigDecimal.ONE, suite, trials, SuiteRun.scores(suite, trials), purse);
    }

    private Report report(String kind, String text) {
        RunOutcome run = run(text, text, "0.5", diff(text, "@@ -1 +1 @@\n-" + text + "\n+" + text));
        Path place = Path.of("/" + text);
        return switch (kind) {
            case "eval" -> eval(text, List.of(run));
            case "loop" ->
                    new LoopReport(
                            new CheckedLoop.Wishes(
                                    text, List.of(), place, List.of(text), text, 9, Duration.ZERO),
                            new CheckedLoop.Result(
                                    CheckedLoop.End.MAX_ITERATIONS,
                                    List.of(new CheckedLoop.Round(run, true, true, check(text)))),
                            purse);
            default ->
                    new ParallelReport(
                            2,
                            text,
                            List.of(text),
                            List.of(
                                    new ParallelTasks.Done(
                                            text,
                                            text,
                                            new Worktrees.Tree(place, place, text, place),
                                            run,
                                            new Worktrees.Harvest(
                                                    text, text, 1, 1, 1, true, text))),
                            purse,
                            9);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"eval", "loop", "parallel"})
    @DisplayName("whatever a run, a model or a repository says is text, wherever it stands")
    void nothingActs(String kind) {
        String page = report(kind, EVIL).html();

        assertEquals(2, page.split("<script", -1).length, "its own, and no other");
        assertEquals(2, page.split("</style>", -1).length, "its own, and no other");
        assertFalse(page.contains("<img"), page);
        assertFalse(page.contains("<a "), page);
        assertFalse(page.contains("\" onclick"), page);
        assertFalse(page.contains("\u202e") || page.contains("\u001b"), page);
        assertTrue(page.contains("\\u202egnp.exe \\u001b[2J"), page);
        assertEquals(
                page.split("<section", -1).length, page.split("</section>", -1).length, "whole");
        assertTrue(page.contains("default-src 'none'"), page);
    }

    @Test
    @DisplayName("figures are medians with their spread; one unknown cost makes them unknown")
    void figures() {
        List<RunOutcome> runs = new ArrayList<>();
        for (String usd : new String[] {"0.1", "0.9", "0.2"}) {
            runs.add(run("x", "x", usd, diff("a", "+a\n")));
        }
        String page = eval("x", runs).html();
        assertTrue(page.contains("<td>$0.2000 <small>$0.1000–$0.9000</small></td>"), page);
        assertTrue(page.contains("<td>2 min 30 s</td><td>1,000</td><td>3</td>"), page);
        assertTrue(page.contains("<small>0%–56%</small>"), page);

        runs.add(run("x", "x", "", diff("a", "+a\n")));
        assertTrue(eval("x", runs).html().contains("<td>?</td><td>2 min 30 s</td>"));
    }

    @Test
    @DisplayName(
            "a page of very much work stays one that a browser opens, and says what is missing")
    void bounded() {
        WorkDiff large = diff("large.txt", ("+" + "x".repeat(59_998) + "\n").repeat(3));
        List<RunOutcome> runs = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            runs.add(run("y", "y\n".repeat(50_000), "0.1", large));
        }
        String page = eval("lines\n".repeat(100), runs).html();

        assertTrue(page.length() < 20_000_000, () -> page.length() + " characters");
        assertTrue(page.contains("Not shown: the page is long enough."), "diffs");
        assertTrue(page.contains("… 90,000 more characters are left out"), "answers");
        assertTrue(page.contains("… 85 lines above are left out"), "checks");
        assertTrue(page.contains("#200 "), "every run is named");
    }
}
