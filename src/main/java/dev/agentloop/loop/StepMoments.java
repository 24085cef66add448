package dev.agentloop.loop;

import dev.agentloop.context.LastPlan;
import dev.agentloop.control.Cancellation;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdog;
import dev.agentloop.tool.ToolSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happens beside the work of a step: hooks are asked, and warnings are given that are due. */
final class StepMoments {
    private static final int LONG_TASK = 10; // steps
    private static final int TOLD_FROM_SECONDS = 60; // a warning does not help a shorter run

    private final ModelCalls llm;
    private final RunPorts ports;
    private final LoopTexts texts;

    StepMoments(ModelCalls llm, RunPorts ports, LoopTexts texts) {
        this.llm = llm;
        this.ports = ports;
        this.texts = texts;
    }

    /**
     * Notes when four fifths of the time are over. Only notes: alarms share a thread, and whoever
     * is told may block.
     */
    Cancellation.Registration watchTime(Run run, @Nullable Duration remaining) {
        if (remaining == null || remaining.toSeconds() < TOLD_FROM_SECONDS) {
            return () -> {};
        }
        return ports.time().alarm(Duration.ofMillis(remaining.toMillis() / 5 * 4), run::timeNears);
    }

    void warnOfTime(Run run) {
        if (run.takeTimeNears()) {
            ports.warn("80 % of the time are over");
        }
    }

    /** Not before it is clear that the model is asked again: a summary needs no warning. */
    void warnOfCircles(Run run) {
        if (run.loop().takeWarning()) {
            ports.warn("the model repeats the same calls with the same results");
            ports.say(run, texts.goesInCircles(), "loop");
        }
    }

    /** Once, when it is clear that the task is a long one. */
    void remindOfPlan(Run run, List<ToolSpec> tools) {
        boolean offered = tools.stream().anyMatch(tool -> tool.name().equals(LastPlan.TOOL));
        if (run.steps() == LONG_TASK && offered && LastPlan.in(run.history()).isEmpty()) {
            ports.say(run, texts.planReminder(), "plan");
        }
    }

    /** What a person said while the model worked. */
    void tellSaid(Run run) {
        run.takeSaid().forEach(text -> ports.say(run, text, "person"));
    }

    /** A step begins; a hook may end the run. */
    Optional<StopReason> begins(Run run, List<ToolSpec> tools) {
        if (ports.hooks().hears(HookPoint.ITERATION)) {
            tell(run, new HookEvent.StepBegins(llm.progress(run, tools)), tools);
        }
        return Watchdog.hook().check(run);
    }

    void replied(Run run, LlmResponse reply) {
        if (ports.hooks().hears(HookPoint.POST_LLM)) {
            ports.hooks()
                    .fire(new HookEvent.Replied(run.steps(), reply.message(), reply.usage()), run);
        }
        warnOfTime(run);
    }

    void ended(Run run, List<ToolSpec> tools) {
        warnOfTime(run); // a long call may have used up all of it
        if (ports.hooks().hears(HookPoint.STEP_END)) {
            tell(run, new HookEvent.StepEnded(llm.progress(run, tools)), tools);
        }
    }

    /** Hooks of these moments may ask for a shorter history. */
    private void tell(Run run, HookEvent event, List<ToolSpec> tools) {
        boolean compact = ports.hooks().fire(event, run).compact();
        if (compact && !run.work().isCancelled()) {
            llm.shorten(run, tools);
        }
    }
}
