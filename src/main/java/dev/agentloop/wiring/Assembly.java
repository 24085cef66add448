package dev.agentloop.wiring;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.WholeReplies;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentLoop;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.call.ToolSettings;
import dev.agentloop.loop.call.ToolTape;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.message.Message;
import dev.agentloop.tool.call.ToolRegistry;
import dev.agentloop.wiring.prompt.Prompts;
import java.util.List;

/**
 * Puts an agent's loop together: an LLM adapter, a registry of tools, a context manager, a cost
 * tracker and a session's journal go in, the loop comes out. The command line, agents that work for
 * another one, and the library all build theirs here and nowhere else.
 *
 * @param costs of the session so far, with the caps of this run
 * @param ports among them the session's journal
 * @param files that tools work on
 * @param postEdit commands that run after an edit
 * @param tape between the loop and its tools, to record or to replay them
 */
public record Assembly(
        LlmAdapter llm,
        ContextManager context,
        CostTracker costs,
        RunPorts ports,
        ToolPorts.Files files,
        PostEditHooks postEdit,
        ToolSettings toolSettings,
        ToolTape tape) {

    /**
     * The state of a run.
     *
     * @param history ends with what the person says
     * @param interrupts end the run
     */
    public Run run(List<Message> history, Cancellation interrupts) {
        return new Run(history, costs, interrupts);
    }

    /** Runs these tools, as far as these say that a call may run. */
    public ToolRunner tools(ToolRegistry registry, ToolPorts.Judging judging) {
        return new ToolRunner(toolPorts(registry, judging), toolSettings, tape);
    }

    /** What calls of these tools pass through, to change them between two steps of a run. */
    public ToolPorts toolPorts(ToolRegistry registry, ToolPorts.Judging judging) {
        return new ToolPorts(registry, judging, files, postEdit, context, ports);
    }

    /** The loop over these tools; its text is shown as the model writes it. */
    public AgentLoop loop(ToolRunner tools, LoopSettings settings) {
        return new AgentLoop(llm, tools, context, ports, new Prompts(), settings);
    }

    /**
     * A loop whose replies are steps on the way, not the answer: each is shown when it is whole.
     */
    public AgentLoop loopWithoutStream(ToolRunner tools, LoopSettings settings) {
        RunPorts whole = ports.with(new WholeReplies(ports.events()));
        return new AgentLoop(llm, tools, context, whole, new Prompts(), settings);
    }
}
