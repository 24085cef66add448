package dev.agentloop.loop.call;

import dev.agentloop.control.Cancellation;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.HookReport;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.SeenFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs the hooks that follow a call and keeps their words until the result is put together: they
 * follow the tool's own output, are never cut away with it, and count as part of its budget.
 */
final class HookStage {
    private final ToolPorts ports;
    private final EarlierContents earlier;
    private final Map<String, String> reports = new ConcurrentHashMap<>();

    HookStage(ToolPorts ports, EarlierContents earlier) {
        this.ports = ports;
        this.earlier = earlier;
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
                checkSyntax(call, change.path(), cancellation).ifPresent(words::append);
            }
        }
        add(call, words.toString());
    }

    /** After a call that was run, well or not; hooks may tell the model something about it. */
    void afterTool(ToolCall call, ToolResult result, Run run) {
        RunHooks hooks = ports.run().hooks();
        if (!hooks.hears(HookPoint.POST_TOOL) || run.work().isCancelled()) {
            return;
        }
        String shown = ports.files().placeholders().hide(result.text());
        HookEvent event = new HookEvent.ToolEnded(call, result.withText(shown));
        Map<Path, String> before = contents(result);
        hooks.observe(event, call.id(), run.work());
        List<HookBus.Listener> deciders = hooks.deciders(event);
        for (HookBus.Listener hook : deciders) {
            HookOutcome said = hooks.ask(hook, event, call.id(), run.work()).outcome();
            if (said instanceof HookOutcome.Continue(String note)) {
                note(call, hook.name(), note);
            } else if (said instanceof HookOutcome.Terminate(String reason)) {
                hooks.stop(run, hook.name(), reason);
                break;
            }
        }
        if (!deciders.isEmpty()) {
            tellOfChanges(call, result, before);
        }
    }

    /** Fingerprints of the files that the call changed, as they are before the hooks. */
    private Map<Path, String> contents(ToolResult result) {
        Map<Path, String> contents = new HashMap<>();
        for (FileChange change : result.changes()) {
            Path file = file(change.path());
            SeenFiles.onDisk(file).ifPresent(now -> contents.put(file, now));
        }
        return contents;
    }

    private void tellOfChanges(ToolCall call, ToolResult result, Map<Path, String> before) {
        for (FileChange change : result.changes()) {
            Optional<String> was = Optional.ofNullable(before.get(file(change.path())));
            if (hasNewContent(change) && changedByHooks(change.path(), was)) {
                add(call, readAgain(change.path()));
            }
        }
    }

    /** Keeps words of a hook about a call; none are no words. */
    void note(ToolCall call, String hook, String note) {
        add(call, note.isBlank() ? "" : "\n\n[Hook " + hook + "]\n" + note);
    }

    private void add(ToolCall call, String words) {
        if (!words.isEmpty()) {
            reports.merge(call.id(), words, String::concat);
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
        boolean heard = ports.run().hooks().hears(HookPoint.POST_EDIT);
        if (!heard && ports.postEdit() == PostEditHooks.NONE) {
            return;
        }
        Optional<String> before = SeenFiles.onDisk(file(path));
        if (heard) {
            HookEvent edited = new HookEvent.FileEdited(call.id(), path);
            ports.run().hooks().observe(edited, call.id(), cancellation);
        }
        List<HookReport> ran = ports.postEdit().afterEdit(path, cancellation);
        for (HookReport report : ran) {
            words.append("\n\n").append(describe(report));
            ports.run().hooks().record(report, HookPoint.POST_EDIT.wireName(), call.id());
        }
        if (!ran.isEmpty() && changedByHooks(path, before)) {
            words.append(readAgain(path));
        }
    }

    private Optional<String> checkSyntax(ToolCall call, String path, Cancellation cancellation) {
        byte[] old = earlier.of(call, path);
        List<String> wrong = ports.files().syntax().problems(path, old, cancellation);
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of("\n\n[Syntax of " + path + ": " + String.join("; ", wrong) + "]");
    }

    private static String readAgain(String path) {
        return "\n\n[The hooks changed " + path + "; read it again before the next edit.]";
    }

    private static String describe(HookReport report) {
        String outcome =
                report.succeeded()
                        ? "OK"
                        : report.exitCode() < 0 ? "FAILED" : "FAILED exit " + report.exitCode();
        String head = "[Hook " + report.name() + ": " + outcome + "]";
        return report.output().isEmpty() ? head : head + "\n" + report.output();
    }

    /**
     * A formatter's work must not look like somebody else's change at the next edit; somebody
     * else's, which the file had before, must.
     */
    private boolean changedByHooks(String path, Optional<String> before) {
        Path file = file(path);
        SeenFiles seen = ports.files().seen();
        Optional<String> known = seen.seen(file);
        if (known.isEmpty() || SeenFiles.onDisk(file).equals(before)) {
            return false;
        }
        if (known.equals(before)) {
            seen.sawOnDisk(file);
        }
        return true;
    }

    private Path file(String path) {
        return ports.files().workspace().root().resolve(path);
    }
}
