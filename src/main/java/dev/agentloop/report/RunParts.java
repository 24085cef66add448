package dev.agentloop.report;

import dev.agentloop.html.Html;
import dev.agentloop.html.HtmlDiff;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.Runs;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.orchestration.WorkDiff;
import java.util.List;
import java.util.Locale;

/**
 * What pages show of a run. One page shows so many lines of diffs and no more: a browser must be
 * able to open it.
 */
final class RunParts {
    private static final int MOST_DIFF = 4_000_000; // characters of all diffs; as HTML 4 times that
    private static final int MOST_FILES = 200; // of one run
    private static final int MOST_ANSWER = 10_000; // characters
    private static final int LAST = 15; // lines of what a check has printed

    private int left = MOST_DIFF;

    /** A word that is seen at once if it is a bad one. HTML. */
    static String state(String word, boolean good) {
        return "<span class=\"%s\">%s</span>".formatted(good ? "good" : "bad", Html.text(word));
    }

    static String code(String text) {
        return "<code>" + Html.text(text) + "</code>";
    }

    /** What all runs have cost, and what they could have. Text. */
    static String money(SharedBudget purse) {
        return Figures.usd(purse.spent())
                + (purse.total() == null ? "" : " of at most " + Figures.usd(purse.total()));
    }

    /** How it ended, what it said, and how to look at all of it. */
    String run(RunOutcome run) {
        StringBuilder out = new StringBuilder();
        if (!run.error().isEmpty()) {
            out.append("<p class=\"bad\">The run: ").append(Html.text(run.stopReason()));
            out.append("</p>\n").append(Html.pre(cut(run.error())));
        }
        if (!run.text().isBlank()) {
            out.append(Html.folded("Answer", Html.said(cut(run.text().strip())), false));
        }
        if (!run.sessionId().isEmpty()) {
            out.append("<p class=\"legend\">All of it: ");
            out.append(code("agent sessions export " + run.sessionId() + " --format html"));
            out.append("</p>\n");
        }
        return out.toString();
    }

    private static String cut(String text) {
        if (text.length() <= MOST_ANSWER) {
            return text;
        }
        int half = Character.isHighSurrogate(text.charAt(MOST_ANSWER - 1)) ? 1 : 0;
        int end = MOST_ANSWER - half;
        return text.substring(0, end)
                + "\n\n… %,d more characters are left out".formatted(text.length() - end);
    }

    /**
     * Each with its last lines.
     *
     * @param open whether those that failed are
     */
    static String checks(List<Runs.CheckOutcome> checks, boolean open) {
        StringBuilder out = new StringBuilder();
        for (Runs.CheckOutcome check : checks) {
            String label =
                    state(check.passed() ? "✓ passed" : "✗ failed", check.passed())
                            + " "
                            + code(check.command())
                            + (check.exitCode() < 0 ? "" : ", exit code " + check.exitCode());
            String said = check.output().isBlank() ? "(nothing printed)" : end(check.output());
            out.append(Html.folded(label, Html.pre(said), open && !check.passed()));
        }
        return out.toString();
    }

    private static String end(String text) {
        List<String> lines = text.strip().lines().toList();
        int above = Math.max(0, lines.size() - LAST);
        String shown = String.join("\n", lines.subList(above, lines.size()));
        return above == 0 ? shown : "… %,d lines above are left out\n".formatted(above) + shown;
    }

    /** How many files and lines. Text. */
    static String size(WorkDiff diff) {
        int files = diff.files().size();
        return files == 0
                ? diff.lack().isEmpty() ? "no file changed" : "not known"
                : String.format(
                        Locale.ROOT,
                        "%,d %s, +%,d −%,d",
                        files,
                        files == 1 ? "file" : "files",
                        diff.added(),
                        diff.removed());
    }

    /** Each file folded; what is not shown is said. */
    String diff(RunOutcome run) {
        WorkDiff diff = run.diff();
        StringBuilder out = new StringBuilder();
        int shown = Math.min(MOST_FILES, diff.files().size());
        diff.files().subList(0, shown).forEach(file -> out.append(file(file)));
        if (shown < diff.files().size()) {
            note(out, diff.files().size() - shown + " more files are not shown.");
        }
        if (!diff.lack().isEmpty()) {
            note(out, "Of the diff something is missing: " + diff.lack() + ".");
        }
        if (diff.files().isEmpty() && !run.changed().isEmpty()) {
            int named = Math.min(MOST_FILES, run.changed().size());
            String names = String.join(", ", run.changed().subList(0, named));
            note(out, "Files that its tools have changed: " + names);
        }
        return out.toString();
    }

    private String file(WorkDiff.FileDiff file) {
        String label = "%s +%,d −%,d".formatted(code(file.name()), file.added(), file.removed());
        if (file.text().length() > left) {
            return Html.folded(label, "<p>Not shown: the page is long enough.</p>\n", false);
        }
        left -= file.text().length();
        String inner = file.text().isBlank() ? "<p>Not shown.</p>\n" : HtmlDiff.of(file.text());
        return Html.folded(label, inner, false);
    }

    private static void note(StringBuilder out, String text) {
        out.append("<p class=\"legend\">").append(Html.text(text)).append("</p>\n");
    }
}
