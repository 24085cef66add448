package dev.agentloop.report;

import dev.agentloop.html.Html;
import dev.agentloop.html.HtmlPage;
import dev.agentloop.orchestration.ParallelTasks;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.orchestration.WorkDiff;
import dev.agentloop.orchestration.Worktrees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tasks that were worked on at once.
 *
 * @param base commit that all began with
 * @param uncommitted files of the user's that no task has seen
 */
public record ParallelReport(
        int code,
        String base,
        List<String> uncommitted,
        List<ParallelTasks.Done> done,
        SharedBudget purse,
        long millis)
        implements Report {
    private static final int MOST_NAMES = 100;

    @Override
    public String html() {
        long succeeded = done.stream().filter(one -> one.outcome().exitCode() == 0).count();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Outcome", succeeded + " of " + done.size() + " done (exit code " + code + ")");
        facts.put("Begun at", base);
        if (!uncommitted.isEmpty()) {
            facts.put("Not in the work trees", few(uncommitted));
        }
        facts.put("Cost", RunParts.money(purse));
        facts.put("Time", Figures.seconds(Duration.ofMillis(millis)));
        StringBuilder parts = new StringBuilder();
        parts.append(HtmlPage.section("Tasks", table()));
        parts.append(HtmlPage.section("Files that several tasks changed", shared()));
        RunParts runs = new RunParts();
        for (ParallelTasks.Done one : done) {
            parts.append(HtmlPage.section(one.name(), task(one, runs)));
        }
        String title = "agent parallel: " + done.size() + (done.size() == 1 ? " task" : " tasks");
        return HtmlPage.of(title, HtmlPage.facts(facts), parts);
    }

    private static String few(List<String> names) {
        int some = Math.min(MOST_NAMES, names.size());
        return String.join(", ", names.subList(0, some))
                + (some < names.size() ? " and " + (names.size() - some) + " more" : "");
    }

    private String table() {
        Table table =
                new Table(
                        "task",
                        "state",
                        "exit code",
                        "steps",
                        "cost",
                        "tokens",
                        "time",
                        "changes",
                        "branch");
        for (ParallelTasks.Done one : done) {
            RunOutcome run = one.outcome();
            boolean good = run.exitCode() == 0;
            table.row(
                    Html.text(one.name()),
                    RunParts.state(good ? "success" : run.stopReason(), good),
                    String.valueOf(run.exitCode()),
                    Figures.count(run.steps()),
                    Figures.usd(run.usd()),
                    Figures.count(run.tokens()),
                    Figures.seconds(run.took()),
                    Html.text(RunParts.size(run.diff())),
                    one.harvest().branch().isEmpty() ? "" : RunParts.code(one.harvest().branch()));
        }
        return table.html();
    }

    /** Where merging the branches needs a look, or a choice. */
    private String shared() {
        Map<String, List<String>> byFile = new LinkedHashMap<>();
        for (ParallelTasks.Done one : done) {
            for (WorkDiff.FileDiff file : one.outcome().diff().files()) {
                byFile.computeIfAbsent(file.name(), name -> new ArrayList<>()).add(one.name());
            }
        }
        byFile.values().removeIf(tasks -> tasks.size() < 2);
        if (byFile.isEmpty()) {
            return "<p>None: each file was changed by one task at most.</p>\n";
        }
        Table table = new Table("file", "changed by");
        byFile.entrySet().stream()
                .limit(MOST_NAMES)
                .forEach(
                        it -> table.row(RunParts.code(it.getKey()), Html.text(few(it.getValue()))));
        int more = byFile.size() - MOST_NAMES;
        return table.html() + (more > 0 ? "<p>… and " + more + " more files</p>\n" : "");
    }

    private static String task(ParallelTasks.Done one, RunParts runs) {
        Worktrees.Harvest kept = one.harvest();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Branch", kept.branch());
        facts.put("Commit", kept.commit());
        facts.put("Work tree", kept.kept() ? one.tree().root().toString() : "");
        facts.put("Not on a branch", kept.trouble());
        facts.values().removeIf(String::isEmpty);
        return Html.pre(one.task())
                + HtmlPage.facts(facts)
                + runs.run(one.outcome())
                + "<h3>Changes: "
                + Html.text(RunParts.size(one.outcome().diff()))
                + "</h3>\n"
                + runs.diff(one.outcome());
    }
}
