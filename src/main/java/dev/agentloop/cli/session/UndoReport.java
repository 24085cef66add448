package dev.agentloop.cli.session;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.undo.UndoPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an undo would do or has done, for people and for scripts. */
final class UndoReport {
    private static final int LABEL = 14; // "remove folder" and a blank

    private final SessionSummary session;
    private final UndoPlan plan;
    private final List<UndoPlan.Refusal> failed = new ArrayList<>();
    private boolean done;

    UndoReport(SessionSummary session, UndoPlan plan) {
        this.session = session;
        this.plan = plan;
    }

    void done(List<UndoPlan.Refusal> couldNot) {
        done = true;
        failed.addAll(couldNot);
    }

    /**
     * The plan in lines for people: what is put back, and what is left alone and why.
     *
     * @param diff how a change would change its file; empty where that is not to be shown
     */
    String text(Function<UndoPlan.Change, String> diff) {
        StringBuilder text = new StringBuilder();
        text.append("Session ").append(session.id());
        text.append(" in ").append(SafeText.line(session.workspace())).append('\n');
        for (UndoPlan.Change change : plan.changes()) {
            text.append("  ").append(line(change)).append('\n');
            String lines = diff.apply(change);
            text.append(lines.isEmpty() ? "" : lines + "\n");
        }
        text.append(refusals("left", plan.refusals()));
        return text.toString();
    }

    /** What turned out not to be possible; empty if all was. */
    String failures() {
        return refusals("not possible", failed);
    }

    private static String line(UndoPlan.Change change) {
        String label = padded(label(change.action()));
        String path = SafeText.line(change.path());
        return switch (change.action()) {
            case MOVE_BACK -> label + SafeText.line(change.from()) + " to " + path;
            case REMOVE_FOLDER -> label + path + " if it is empty";
            case RESTORE, RECREATE, DELETE ->
                    label + path + "  +" + change.added() + " -" + change.removed();
        };
    }

    private static String refusals(String label, List<UndoPlan.Refusal> refusals) {
        StringBuilder text = new StringBuilder();
        for (UndoPlan.Refusal refusal : refusals) {
            text.append("  ").append(padded(label)).append(SafeText.line(refusal.path()));
            text.append(": ").append(SafeText.line(refusal.reason())).append('\n');
            if (!refusal.diff().isEmpty()) {
                text.append(SafeText.block(refusal.diff()).indent(6));
            }
        }
        return text.toString();
    }

    private static String label(UndoPlan.Action action) {
        return action.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String padded(String label) {
        return label + " ".repeat(Math.max(1, LABEL - label.length()));
    }

    String json(ExitCode code, String message) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("session_id", session.id());
        object.put("workspace", Json.wellFormed(session.workspace()));
        object.put("applied", done);
        object.put("changes", plan.changes().stream().map(UndoReport::json).toList());
        List<UndoPlan.Refusal> refused = new ArrayList<>(plan.refusals());
        refused.addAll(failed);
        object.put("refused", refused.stream().map(UndoReport::json).toList());
        object.put("message", message);
        object.put("exit_code", code.code());
        return Json.text(new JsonValue(object)::writeTo) + "\n";
    }

    private static Map<String, @Nullable Object> json(UndoPlan.Change change) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("action", change.action().name().toLowerCase(Locale.ROOT));
        object.put("path", Json.wellFormed(change.path()));
        if (!change.from().isEmpty()) {
            object.put("from", Json.wellFormed(change.from()));
        }
        object.put("added", change.added());
        object.put("removed", change.removed());
        return object;
    }

    private static Map<String, @Nullable Object> json(UndoPlan.Refusal refusal) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("path", Json.wellFormed(refusal.path()));
        object.put("reason", Json.wellFormed(refusal.reason()));
        object.put("diff", Json.wellFormed(refusal.diff()));
        return object;
    }

    /** The object where there is no plan. */
    static String error(CommandProblem problem) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("applied", false);
        object.put("changes", List.of());
        object.put("refused", List.of());
        object.put("message", Json.wellFormed(problem.message()));
        object.put("exit_code", problem.exit().code());
        object.put("error", problem.error());
        return Json.text(new JsonValue(object)::writeTo) + "\n";
    }
}
