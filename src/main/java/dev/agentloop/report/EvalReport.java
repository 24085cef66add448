package dev.agentloop.report;

import dev.agentloop.html.Html;
import dev.agentloop.html.HtmlPage;
import dev.agentloop.orchestration.Interval;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.orchestration.Suite;
import dev.agentloop.orchestration.SuiteRun;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * How often variants have done the tasks of a suite.
 *
 * @param base commit that all runs began with
 * @param gate share of runs that each variant must pass
 * @param scores of the variants, the best first
 */
public record EvalReport(
        int code,
        String base,
        BigDecimal gate,
        Suite suite,
        List<SuiteRun.Trial> trials,
        List<SuiteRun.Score> scores,
        SharedBudget purse)
        implements Report {
    private static final int INTERRUPTED = 130;

    @Override
    public String html() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Suite", suite.name());
        facts.put("Outcome", outcome() + " (exit code " + code + ")");
        facts.put(
                "Runs",
                "%d: %d tasks × %d variants × %d"
                        .formatted(
                                trials.size(),
                                suite.tasks().size(),
                                suite.variants().size(),
                                suite.runs()));
        facts.put("Begun at", base);
        facts.put("Cost", RunParts.money(purse));
        StringBuilder parts = new StringBuilder();
        parts.append(HtmlPage.section("Variants", variants()));
        parts.append(HtmlPage.section("Tasks and variants", tasks()));
        RunParts runs = new RunParts();
        for (Suite.Task task : suite.tasks()) {
            parts.append(HtmlPage.section("Task " + task.name(), task(task, runs)));
        }
        return HtmlPage.of("agent eval: " + suite.name(), HtmlPage.facts(facts), parts);
    }

    private String outcome() {
        if (code == INTERRUPTED) {
            return "interrupted";
        }
        if (trials.stream().anyMatch(SuiteRun.Trial::refused)) {
            return "not all runs could be tried";
        }
        return code == 0 ? "done" : "a variant passed less often than " + gate.toPlainString();
    }

    private String variants() {
        Table table =
                new Table(
                        "variant",
                        "passed",
                        "rate",
                        "95 % interval",
                        "mean cost",
                        "mean time",
                        "mean steps",
                        "settings");
        for (SuiteRun.Score score : scores) {
            table.row(
                    Html.text(score.variant()),
                    score.passed() + "/" + score.runs(),
                    Figures.percent(score.rate()),
                    Figures.drawn(score.rate(), score.interval()),
                    Figures.usd(score.usd()),
                    Figures.seconds(Duration.ofMillis(score.millis())),
                    String.format(Locale.ROOT, "%.1f", score.steps()),
                    Html.text(settings(score.variant())));
        }
        return table.html();
    }

    private String settings(String variant) {
        return suite.variants().stream()
                .filter(it -> it.name().equals(variant))
                .map(it -> String.join(" ", it.options()))
                .findFirst()
                .orElse("");
    }

    private String tasks() {
        Table table =
                new Table(
                        "task",
                        "variant",
                        "passed",
                        "rate",
                        "95 % interval",
                        "cost",
                        "time",
                        "tokens",
                        "steps");
        for (Suite.Task task : suite.tasks()) {
            for (SuiteRun.Score score : scores) {
                List<SuiteRun.Trial> its =
                        of(task, score.variant()).stream().filter(it -> !it.refused()).toList();
                int passed = (int) its.stream().filter(SuiteRun.Trial::passed).count();
                double rate = its.isEmpty() ? 0 : (double) passed / its.size();
                table.row(
                        Html.text(task.name()),
                        Html.text(score.variant()),
                        passed + "/" + its.size(),
                        its.isEmpty() ? "" : Figures.percent(rate),
                        Figures.drawn(rate, Interval.of(passed, its.size())),
                        Figures.spread(values(its, EvalReport::usd), Figures::usd),
                        Figures.spread(
                                values(its, it -> (double) it.took().toMillis()), Figures::seconds),
                        Figures.spread(values(its, it -> (double) it.tokens()), Figures::count),
                        Figures.spread(values(its, it -> (double) it.steps()), Figures::count));
            }
        }
        return table.html()
                + "<p class=\"legend\">Cost, time, tokens and steps: the median of the runs, and"
                + " from the least to the most.</p>\n";
    }

    private static double usd(RunOutcome run) {
        return run.usd() == null ? Double.NaN : run.usd().doubleValue();
    }

    private static List<Double> values(
            List<SuiteRun.Trial> trials, Function<RunOutcome, Double> value) {
        return trials.stream().map(it -> value.apply(it.outcome())).toList();
    }

    private List<SuiteRun.Trial> of(Suite.Task task, String variant) {
        return trials.stream()
                .filter(it -> it.task().equals(task.name()) && it.variant().equals(variant))
                .toList();
    }

    /** What failed first, then the runs of each variant beside those of the next. */
    private String task(Suite.Task task, RunParts runs) {
        StringBuilder out =
                new StringBuilder(Html.folded("Prompt", Html.pre(task.prompt()), false));
        for (SuiteRun.Score score : scores) {
            boolean open = true; // the first one; the others have often failed alike
            for (SuiteRun.Trial trial : of(task, score.variant())) {
                if (!trial.passed()) {
                    out.append("<h3>").append(Html.text(score.variant() + " #" + trial.number()));
                    out.append(": ").append(state(trial)).append("</h3>\n");
                    out.append(RunParts.checks(trial.checks(), open));
                    open = false;
                }
            }
        }
        out.append("<h3>What the variants changed</h3>\n<div class=\"beside\">\n");
        for (SuiteRun.Score score : scores) {
            out.append("<div>\n<h4>").append(Html.text(score.variant())).append("</h4>\n");
            of(task, score.variant()).forEach(trial -> out.append(trial(trial, runs)));
            out.append("</div>\n");
        }
        return out.append("</div>\n").toString();
    }

    private static String state(SuiteRun.Trial trial) {
        String word = trial.passed() ? "passed" : trial.refused() ? "not tried" : "failed";
        return RunParts.state(word, trial.passed());
    }

    private static String trial(SuiteRun.Trial trial, RunParts runs) {
        RunOutcome run = trial.outcome();
        String label =
                "#%d %s, %s"
                        .formatted(
                                trial.number(), state(trial), Html.text(RunParts.size(run.diff())));
        return Html.folded(label, runs.run(run) + runs.diff(run), false);
    }
}
