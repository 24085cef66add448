package dev.agentloop.loop.call;

import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.undo.UnifiedDiff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tries an edit up to its first change, so that nobody is asked about one that cannot succeed. Only
 * of files that the model may read without a question, because the refusal shows lines of them, and
 * of files in the workspace that are not there.
 */
final class TrialEdit implements ToolContext.Barrier {
    private static final int LONGEST = 1_000_000; // bytes of a file whose change is shown

    private final List<Touch> planned = new ArrayList<>();
    private boolean reached;
    private @Nullable ToolResult refusal;

    private TrialEdit() {}

    /** Goes as far as possible; not at all with what is no edit or must not be shown. */
    static TrialEdit of(PreparedCall.Ready<?> ready, ToolPorts ports, ToolContext context) {
        TrialEdit trial = new TrialEdit();
        boolean ours = ready.tool() instanceof BuiltInTool<?>;
        if (!ours
                || ready.spec().effect() != Effect.FILE
                || !showsNothingHidden(ready, ports, context)) {
            return trial;
        }
        ToolResult result = ports.registry().invoke(ready, context.with(trial));
        trial.refusal = trial.reached || !result.isError() ? null : result;
        return trial;
    }

    /** What the call would be refused with; empty if it may succeed, or cannot be tried. */
    Optional<ToolResult> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** How it would change files; empty where that is not known, or not to be shown. */
    List<Approver.PlannedChange> changes(Workspace workspace) {
        List<Approver.PlannedChange> changes = new ArrayList<>();
        for (Touch touch : planned) {
            if (!(touch instanceof Touch.Content(Path path, byte[] after)) || after == null) {
                return List.of(); // nothing is shown in part
            }
            String name = workspace.show(path);
            Optional<String> before = text(path);
            if (before.isEmpty() || after.length > LONGEST) {
                return List.of();
            }
            String diff =
                    UnifiedDiff.between(
                            new UnifiedDiff.Side("a/" + name, before.get()),
                            new UnifiedDiff.Side(
                                    "b/" + name, new String(after, StandardCharsets.UTF_8)),
                            Integer.MAX_VALUE); // what is not shown would be allowed unseen
            changes.add(new Approver.PlannedChange(name, diff));
        }
        return changes;
    }

    private static Optional<String> text(Path file) {
        try {
            return !Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of("")
                    : Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                                    && Files.size(file) <= LONGEST
                            ? Optional.of(Files.readString(file))
                            : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no text, or gone: the call itself is shown
        }
    }

    private static boolean showsNothingHidden(
            PreparedCall.Ready<?> ready, ToolPorts ports, ToolContext context) {
        return ready.paths().stream()
                .allMatch(path ->
                        mayRead(ready.call().id(), path, ports)
                                || isMissing(path, context.workspace()));
    }

    private static boolean mayRead(String callId, String path, ToolPorts ports) {
        return ports.registry().reading(callId, path) instanceof PreparedCall.Ready<?> reading
                && ports.judging().policy().decide(reading).verdict() == Verdict.ALLOW;
    }

    /** Outside of the workspace even whether a file exists is not told without a question. */
    private static boolean isMissing(String path, Workspace workspace) {
        try {
            return Files.notExists(workspace.resolve(path), LinkOption.NOFOLLOW_LINKS);
        } catch (ToolException outside) {
            return false;
        }
    }

    @Override
    public void prepare(List<Touch> touched) {
        stop(touched);
    }

    @Override
    public void await(List<Touch> touched) {
        stop(touched);
    }

    private void stop(List<Touch> touched) {
        reached = true;
        planned.addAll(touched);
        throw new IllegalStateException("a trial changes nothing");
    }
}
