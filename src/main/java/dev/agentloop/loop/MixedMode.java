package dev.agentloop.loop;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.session.JournalRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two agents on one task: one plans with reading tools only, the other builds with the plan and all
 * that was read before it. They share model, session, limits and history.
 *
 * @param plan loop of the planning agent
 * @param build loop of the building agent
 * @param opening record of the building agent, with its instructions
 * @param goAhead what tells the building agent to carry out the plan above
 */
public record MixedMode(
        AgentLoop plan,
        AgentLoop build,
        AgentLoop.LoopPorts ports,
        JournalRecord.Opened opening,
        String goAhead) {

    /** A plan that did not succeed is the result; nothing is built on half a plan. */
    public RunResult run(Run run, Supplier<@Nullable Duration> remaining) {
        RunResult planned = plan.run(run, remaining.get());
        if (planned.stopReason() != StopReason.LLM_DONE) {
            return planned;
        }
        ports.events().emit(new AgentEvent.AgentSwitched("plan", opening.agent()));
        ports.events().emit(new AgentEvent.UserMessage(goAhead, "plan"));
        ports.journal()
                .append(List.of(opening, new JournalRecord.UserSaid(goAhead, "plan")), false);
        run.startNextPhase(new Message.System(opening.systemPrompt()), goAhead);
        return build.run(run, remaining.get());
    }
}
