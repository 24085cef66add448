package dev.agentloop.loop;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.session.JournalRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The second half of mixed mode: an agent that may change files builds what the agent before it,
 * which only reads, has planned. Both share model, session, limits and history.
 *
 * @param build loop of the building agent
 * @param opening record of the building agent, with its instructions
 * @param goAhead what tells the building agent to carry out the plan above
 * @param remaining what is left of the run's time; gives null without a limit
 */
public record BuildPhase(
        AgentLoop build,
        RunPorts ports,
        JournalRecord.Opened opening,
        String goAhead,
        Supplier<@Nullable Duration> remaining)
        implements FollowUp {

    /** A plan that did not succeed is the result; nothing is built on half a plan. */
    @Override
    public RunResult after(Run run, RunResult planned) {
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
