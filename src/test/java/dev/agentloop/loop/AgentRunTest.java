package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunListener;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.ScriptedLlm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who accompanies a run, and what they hear of it when something in it throws. */
final class AgentRunTest {
    private final List<String> heard = new ArrayList<>();

    @Test
    void listenersHearTheBeginningInOrderAndTheEndInTheOppositeOne() {
        agent().listener(listener("a", "")).listener(listener("b", "")).run("go");

        assertEquals(List.of("a begins", "b begins", "b llm_done", "a llm_done"), heard);
    }

    @Test
    void eachFollowUpGetsTheResultOfTheOneBeforeItAndTheLastOneIsHeard() {
        RunResult result =
                agent().listener(listener("a", ""))
                        .followUp((_, before) -> with(StopReason.REFUSED, before))
                        .followUp((_, before) -> {
                            heard.add("follows " + before.stopReason().wireName());
                            return with(StopReason.MAX_STEPS, before);
                        })
                        .run("go");

        assertEquals(StopReason.MAX_STEPS, result.stopReason());
        assertEquals(List.of("a begins", "follows refused", "a max_steps"), heard);
    }

    @Test
    void aFollowUpThatThrowsMakesTheRunAnInternalErrorForItsListeners() {
        AgentFixture agent =
                agent().listener(listener("a", ""))
                        .followUp((_, _) -> {
                            throw new IllegalStateException("a bug");
                        });

        assertThrows(IllegalStateException.class, () -> agent.run("go"));
        assertEquals(List.of("a begins", "a internal_error"), heard);
    }

    @Test
    void aListenerThatThrowsAtTheBeginningHearsTheEndAndThoseBehindItHearNothing() {
        AgentFixture agent =
                agent().listener(listener("a", ""))
                        .listener(listener("b", "begins"))
                        .listener(listener("c", ""));

        assertThrows(IllegalStateException.class, () -> agent.run("go"));
        assertEquals(
                List.of("a begins", "b begins", "b internal_error", "a internal_error"), heard);
    }

    @Test
    void aListenerThatThrowsAtTheEndKeepsNoOtherFromHearingIt() {
        AgentFixture agent =
                agent().listener(listener("a", "")).listener(listener("b", "llm_done"));

        assertThrows(IllegalStateException.class, () -> agent.run("go"));
        assertEquals(List.of("a begins", "b begins", "b llm_done", "a llm_done"), heard);
    }

    @Test
    void aReplayThatIsAskedForMoreThanItHasEndsAsAnErrorOfTheModelWhereverThatWas() {
        LlmException.Unrecorded more = new LlmException.Unrecorded("nothing is left");
        RunResult ofFollowUp =
                agent().followUp(
                                (_, _) -> {
                                    throw more;
                                })
                        .run("go");
        RunResult ofListener =
                agent().listener(
                                RunListener.atEnd(() -> {
                                    throw more;
                                }))
                        .run("go");

        assertEquals(StopReason.LLM_ERROR, ofFollowUp.stopReason());
        assertEquals(StopReason.LLM_ERROR, ofListener.stopReason());
    }

    private static AgentFixture agent() {
        return AgentFixture.with(ScriptedLlm.of(says("Done.")));
    }

    private static RunResult with(StopReason reason, RunResult before) {
        return new RunResult(reason, before.text(), before.steps());
    }

    /**
     * @param throwsAt what it throws at after it has heard it; empty for never
     */
    private RunListener listener(String name, String throwsAt) {
        return new RunListener() {
            @Override
            public void begins(Run run) {
                hear("begins");
            }

            @Override
            public void ended(Run run, RunResult result) {
                hear(result.stopReason().wireName());
            }

            private void hear(String what) {
                heard.add(name + " " + what);
                if (what.equals(throwsAt)) {
                    throw new IllegalStateException("a bug in " + name);
                }
            }
        };
    }
}
