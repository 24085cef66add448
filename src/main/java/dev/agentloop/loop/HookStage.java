package dev.agentloop.loop;

import dev.agentloop.control.Cancellation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.hook.HookReport;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.JournalRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs the post-edit hooks of a call and keeps their words until the result is put together: they
 * follow the tool's own output, are never cut away with it, and count as part of its budget.
 */
final class HookStage {
    private final ToolPorts ports;
    private final Map<String, String> reports = new ConcurrentHashMap<>();

    HookStage(ToolPorts ports) {
        this.ports = ports;
    }

    /** Hooks run for files that now have new content, and only when the tool succeeded. */
    void afterEdit(ToolCall call, ToolResult result, Cancellation cancellation) {
        if (result.isError()) {
            return;
        }
        StringBuilder words = new StringBuilder();
        for (FileChange change : result.changes()) {
            if (hasNewContent(change)) {
                runFor(call, change.path(), cancellation, words);
            }
        }
        if (!words.isEmpty()) {
            reports.put(call.id(), words.toString());
        }
    }

    private static boolean hasNewContent(FileChange change) {
        return switch (change.kind()) {
            case DELETED -> false;
            case MOVED -> change.added() + change.removed() > 0;
            case ADDED, MODIFIED -> true;
        };
    }

    /** What the hooks of a call said, to stand below its result; empty if none ran. */
    String takeReport(ToolCall call) {
        String words = reports.remove(call.id());
        return words == null ? "" : words;
    }

    private void runFor(
            ToolCall call, String path, Cancellation cancellation, StringBuilder words) {
        List<HookReport> ran = ports.hooks().afterEdit(path, cancellation);
        for (HookReport report : ran) {
            words.append("\n\n").append(describe(report));
            emit(call, report);
        }
        if (!ran.isEmpty() && changedByHooks(path)) {
            words.append("\n\n[The hooks changed ")
                    .append(path)
                    .append("; read it again before the next edit.]");
        }
    }

    private static String describe(HookReport report) {
        String outcome =
                report.succeeded()
                        ? "OK"
                        : report.exitCode() < 0 ? "FAILED" : "FAILED exit " + report.exitCode();
        String head = "[Hook " + report.name() + ": " + outcome + "]";
        return report.output().isEmpty() ? head : head + "\n" + report.output();
    }

    private void emit(ToolCall call, HookReport report) {
        ports.journal()
                .append(
                        List.of(
                                new JournalRecord.HookRan(
                                        report.name(),
                                        "post_edit",
                                        report.exitCode(),
                                        report.took().toMillis())),
                        false);
        ports.events()
                .emit(
                        new AgentEvent.HookFinished(
                                call.id(),
                                report.name(),
                                "post_edit",
                                report.file(),
                                report.exitCode(),
                                report.took(),
                                report.output()));
    }

    /** A formatter's work must not look like somebody else's change at the next edit. */
    private boolean changedByHooks(String path) {
        Path file = ports.workspace().root().resolve(path);
        Optional<String> before = ports.seen().seen(file);
        ports.seen().sawOnDisk(file);
        return before.isPresent() && !before.equals(ports.seen().seen(file));
    }
}
