package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HookPointTest {
    private static final List<HookOutcome> OUTCOMES =
            List.of(
                    HookOutcome.goOn(),
                    new HookOutcome.Terminate("r"),
                    new HookOutcome.Skip("r"),
                    new HookOutcome.Deny("r"),
                    new HookOutcome.Ask("r"),
                    new HookOutcome.Rewrite("{}", ""),
                    new HookOutcome.Inject("m"),
                    new HookOutcome.Compact(),
                    new HookOutcome.Amend("p"));

    @Tag("C28")
    @DisplayName("what a hook may say at which moment")
    @ParameterizedTest
    @CsvSource({
        "SESSION_START, Continue Terminate Inject",
        "PROMPT_BUILD, Continue Amend",
        "ITERATION, Continue Terminate Inject Compact",
        "PRE_LLM, Continue Terminate",
        "POST_LLM, Continue Terminate",
        "PRE_TOOL, Continue Terminate Skip Deny Ask Rewrite",
        "POST_TOOL, Continue Terminate",
        "POST_EDIT, Continue",
        "COMPACTION, Continue Terminate",
        "STEP_END, Continue Terminate Inject Compact",
        "AGENT_DONE, Continue Terminate Inject",
        "ERROR, Continue",
        "BUDGET_WARNING, Continue",
        "SESSION_END, Continue",
    })
    void whatIsUnderstood(HookPoint point, String names) {
        assertEquals(
                names,
                OUTCOMES.stream()
                        .filter(point::understands)
                        .map(HookOutcome::name)
                        .collect(Collectors.joining(" ")));
    }

    @Test
    @Tag("C28")
    @DisplayName("a failure stops what could still be stopped")
    void aFailureStopsWhatCanBeStopped() {
        String reason = "the hook h failed: broken";
        assertEquals(
                List.of(
                        HookPoint.PRE_LLM + " " + new HookOutcome.Terminate(reason),
                        HookPoint.PRE_TOOL + " " + new HookOutcome.Deny(reason)),
                Arrays.stream(HookPoint.values())
                        .filter(point -> !point.onFailure("h", "broken").equals(HookOutcome.goOn()))
                        .map(point -> point + " " + point.onFailure("h", "broken"))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(HookPoint.class)
    void aPointIsFoundByItsWireName(HookPoint point) {
        assertEquals(Optional.of(point), HookPoint.named(point.wireName()));
    }

    @Test
    void anUnknownNameIsNoPoint() {
        assertEquals(Optional.empty(), HookPoint.named("pre_tea"));
    }
}
