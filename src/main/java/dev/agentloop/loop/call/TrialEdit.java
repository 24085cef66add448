package dev.agentloop.loop.call;

import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.PreparedCall;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.List;
import java.util.Optional;

/**
 * Tries an edit up to its first change, so that nobody is asked about one that cannot succeed. Only
 * of files that the model may read without a question, because the refusal shows lines of them, and
 * of files in the workspace that are not there.
 */
final class TrialEdit implements ToolContext.Barrier {
    private boolean reached;

    private TrialEdit() {}

    /** What the call would be refused with; empty if it may succeed, or cannot be tried. */
    static Optional<ToolResult> refusal(
            PreparedCall.Ready<?> ready, ToolPorts ports, ToolContext context) {
        boolean ours = ready.tool() instanceof BuiltInTool<?>;
        if (!ours
                || ready.spec().effect() != Effect.FILE
                || !showsNothingHidden(ready, ports, context)) {
            return Optional.empty();
        }
        TrialEdit trial = new TrialEdit();
        ToolResult result = ports.registry().invoke(ready, context.with(trial));
        return trial.reached || !result.isError() ? Optional.empty() : Optional.of(result);
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
        stop();
    }

    @Override
    public void await(List<Touch> touched) {
        stop();
    }

    private void stop() {
        reached = true;
        throw new IllegalStateException("a trial changes nothing");
    }
}
