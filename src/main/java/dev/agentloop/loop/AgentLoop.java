package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loop: the model decides when it is done; watchdogs only guard. A run always ends in a {@link
 * RunResult}: trouble with the model is a stop reason, only a bug of ours is an exception.
 */
public final class AgentLoop {
    private final ModelCalls llm;
    private final ToolRunner tools;
    private final Watchdogs watchdogs;
    private final StepMoments moments;
    private final FinalAnswer answer;
    private final Closing closing;
    private final RunPorts ports;

    public AgentLoop(
            LlmAdapter llm,
            ToolRunner tools,
            ContextManager context,
            RunPorts ports,
            LoopTexts texts,
            LoopSettings settings) {
        this.llm = new ModelCalls(llm, context, ports, texts, settings);
        this.tools = tools;
        this.watchdogs =
                Watchdogs.standard(settings.limits(), run -> this.llm.isFull(run, tools.specs()));
        this.moments = new StepMoments(this.llm, ports, texts);
        this.closing = new Closing(this.llm, ports, texts, settings);
        this.answer =
                new FinalAnswer(
                        closing, ports, texts, settings, run -> watchdogs.beforeLlm(run).isEmpty());
        this.ports = ports;
    }

    /**
     * Works on the run's last user message until the model is done or a guard ends it.
     *
     * @param remaining what is left of the run's time; null when it has no limit
     */
    public RunResult run(Run run, @Nullable Duration remaining) {
        try (var _ = limit(run, remaining)) {
            Optional<RunResult> result = Optional.empty();
            while (result.isEmpty()) { // the model decides when it is done; watchdogs only guard
                result = step(run);
            }
            return result.get();
        }
    }

    /**
     * One step: asks the model and runs the tools that it calls.
     *
     * @return the end of the run; empty if there is another step
     */
    public Optional<RunResult> step(Run run) {
        try {
            tools.makeAgain(run.takeCutOff(), run, () -> watchdogs.beforeTools(run));
            Optional<StopReason> stop = guard(run);
            if (stop.isPresent()) {
                return over(run, stopped(run, stop.get()));
            }
            LlmResponse reply = llm.step(run, tools.specs());
            keep(run, reply);
            if (reply.toolCalls().isEmpty()) {
                return answered(run, reply);
            }
            runTools(run, reply);
            return Optional.empty();
        } catch (LlmException e) {
            return Optional.of(failed(run, e));
        }
    }

    /** Begins the run's time, for a caller of {@link #step}; to be closed with the run. */
    public Cancellation.Registration limit(Run run, @Nullable Duration remaining) {
        Cancellation.Registration deadline = ports.deadline(run, remaining);
        Cancellation.Registration nearing = moments.watchTime(run, remaining);
        return () -> {
            nearing.close();
            deadline.close();
        };
    }

    /** Sums up the old steps of a session because somebody wants it so; nothing else is done. */
    public RunResult compact(Run run) {
        try {
            return new RunResult(StopReason.LLM_DONE, llm.compact(run, tools.specs()), 0);
        } catch (LlmException e) {
            return closing.afterFailedCompaction(run, e);
        }
    }

    /** How this loop asks its model, for a question beside the work. */
    ModelCalls model() {
        return llm;
    }

    private Optional<RunResult> answered(Run run, LlmResponse reply) {
        tools.settle(run);
        return answer.of(run, reply).flatMap(result -> over(run, result));
    }

    private RunResult failed(Run run, LlmException why) {
        tools.settle(run);
        return answer.standing(run).orElseGet(() -> closing.afterFailure(run, why, tools.specs()));
    }

    private RunResult stopped(Run run, StopReason reason) {
        tools.settle(run);
        return answer.standing(run).orElseGet(() -> closing.close(run, reason, tools.specs()));
    }

    private Optional<StopReason> guard(Run run) {
        Optional<StopReason> stop =
                watchdogs.beforeLlm(run).or(() -> moments.begins(run, tools.specs()));
        moments.warnOfTime(run);
        if (stop.isEmpty()) {
            moments.warnOfCircles(run);
            moments.remindOfPlan(run, tools.specs());
            moments.tellSaid(run);
        }
        return stop;
    }

    private void keep(Run run, LlmResponse reply) {
        run.add(reply);
        llm.settle(run, reply, tools.specs());
        moments.replied(run, reply);
    }

    private void runTools(Run run, LlmResponse reply) {
        run.forgetText();
        List<Message.Tool> results = tools.answerAll(reply, run, () -> watchdogs.beforeTools(run));
        run.addAll(results);
        run.loop().note(reply.toolCalls(), results);
        run.checkedWork().note(reply.toolCalls(), results);
        moments.ended(run, tools.specs());
    }

    private Optional<RunResult> over(Run run, RunResult result) {
        return Optional.of(UnsavedChanges.told(run, result, ports));
    }
}
