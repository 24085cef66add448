package dev.agentloop.report;

import dev.agentloop.html.Html;
import dev.agentloop.html.HtmlPage;
import dev.agentloop.orchestration.CheckedLoop;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.Runs;
import dev.agentloop.orchestration.SharedBudget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A task that was repeated until its checks passed, or could not. */
public record LoopReport(CheckedLoop.Wishes wishes, CheckedLoop.Result result, SharedBudget purse)
        implements Report {
    @Override
    public String html() {
        List<CheckedLoop.Round> rounds = result.iterations();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Workspace", wishes.workspace().toString());
        facts.put("Outcome", result.end().wireName() + " (exit code " + result.exitCode() + ")");
        facts.put("Iterations", rounds.size() + " of at most " + wishes.maxIterations());
        facts.put("Checks", String.join("\n", wishes.checks()));
        facts.put("Cost", RunParts.money(purse));
        StringBuilder parts = new StringBuilder();
        parts.append(HtmlPage.section("Task", Html.pre(wishes.task())));
        parts.append(HtmlPage.section("Iterations", table(rounds)));
        RunParts runs = new RunParts();
        for (int i = 0; i < rounds.size(); i++) {
            CheckedLoop.Round round = rounds.get(i);
            String inner =
                    runs.run(round.outcome())
                            + "<h3>Checks</h3>\n"
                            + (round.checks().isEmpty() ? "<p>not run</p>\n" : "")
                            + RunParts.checks(round.checks(), true)
                            + "<h3>Changes: "
                            + Html.text(RunParts.size(round.outcome().diff()))
                            + "</h3>\n"
                            + runs.diff(round.outcome());
            parts.append(HtmlPage.section("Iteration " + (i + 1), inner));
        }
        return HtmlPage.of("agent loop: " + result.end().wireName(), HtmlPage.facts(facts), parts);
    }

    private static String table(List<CheckedLoop.Round> rounds) {
        Table table =
                new Table(
                        "#",
                        "run",
                        "checks",
                        "said done",
                        "steps",
                        "cost",
                        "tokens",
                        "time",
                        "changes");
        for (CheckedLoop.Round round : rounds) {
            RunOutcome run = round.outcome();
            long passed = round.checks().stream().filter(Runs.CheckOutcome::passed).count();
            int all = round.checks().size();
            table.row(
                    String.valueOf(rounds.indexOf(round) + 1),
                    Html.text(run.stopReason()),
                    all == 0
                            ? "not run"
                            : RunParts.state(passed + " of " + all + " passed", passed == all),
                    round.tagged() ? "yes" : "no",
                    Figures.count(run.steps()),
                    Figures.usd(run.usd()),
                    Figures.count(run.tokens()),
                    Figures.seconds(run.took()),
                    Html.text(RunParts.size(run.diff())));
        }
        return table.html();
    }
}
