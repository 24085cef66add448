package dev.agentloop.loop.call;

import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.call.PreparedCall;
import java.util.List;
import java.util.Optional;

/**
 * Tries an edit up to its first change, so that nobody is asked about one that cannot succeed. Only
 * of files that the model may read without a question: the refusal shows lines of them.
 */
final class TrialEdit implements ToolContext.Barrier {
    private boolean reached;

    private TrialEdit() {}

    /** What the call would be refused with; empty if it may succeed, or cannot be tried. */
    static Optional<ToolResult> refusal(
            PreparedCall.Ready<?> ready, ToolPorts ports, ToolContext context) {
        boolean ours = ready.tool() instanceof BuiltInTool<?>;
        if (!ours || ready.spec().effect() != Effect.FILE || !mayRead(ready, ports)) {
            return Optional.empty();
        }
        TrialEdit trial = new TrialEdit();
        ToolResult result = ports.registry().invoke(ready, context.with(trial));
        return trial.reached || !result.isError() ? Optional.empty() : Optional.of(result);
    }

    private static boolean mayRead(PreparedCall.Ready<?> ready, ToolPorts ports) {
        return ready.paths().stream()
                .allMatch(path ->
                        ports.registry().reading(ready.call().id(), path)
                                        instanceof PreparedCall.Ready<?> reading
                                && ports.judging().policy().decide(reading).verdict()
                                        == Verdict.ALLOW);
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
