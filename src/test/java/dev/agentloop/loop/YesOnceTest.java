package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** "Yes, once" is about one call: the same call again is another one, and is asked about. */
class YesOnceTest {
    private static final String CALL = "{\"path\":\"a\"}";

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @EnumSource(names = {"FILE", "OPAQUE"})
    @DisplayName("the same call in the next step is asked about again")
    void nextStep(Effect effect) {
        fixture(effect, calls("act", CALL), calls("act", CALL), says("done")).run("go");

        assertEquals(List.of("a", "a"), asked);
        assertEquals(List.of("a"), done, "the second answer was no");
    }

    @ParameterizedTest
    @EnumSource(names = {"FILE", "OPAQUE"})
    @DisplayName("the same call in the same reply is asked about again")
    void sameReply(Effect effect) {
        fixture(effect, calls("act", CALL, "act", CALL), says("done")).run("go");

        assertEquals(List.of("a", "a"), asked);
        assertEquals(List.of("a"), done, "the second answer was no");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {"b, 1, changed this call to: {\"path\":\"b\"}", "c, 0, Not allowed"})
    @DisplayName("a call that the person changes runs as changed, unless a rule denies it so")
    void changed(String path, int runs, String told) {
        ScriptedLlm llm = ScriptedLlm.of(calls("act", CALL), says("done"));
        AgentFixture.with(llm)
                .tool(act(Effect.OPAQUE))
                .confirming(ConfirmPreset.CONFIRM_SENSITIVE)
                .denying("act(c)")
                .asking((_, _, _) ->
                        new Approver.Answer.Changed("{\"path\":\"%s\"}".formatted(path)))
                .run("go");

        assertEquals(runs == 0 ? List.of() : List.of(path), done);
        String result = llm.messagesOf(1).getLast().toString();
        assertTrue(result.contains(told), result);
    }

    private FakeTool act(Effect effect) {
        return new FakeTool(
                "act",
                effect,
                (path, _) -> {
                    done.add(path);
                    return ToolResult.ok(path);
                });
    }

    private AgentFixture fixture(Effect effect, ScriptedLlm.Turn... turns) {
        return AgentFixture.with(ScriptedLlm.of(turns))
                .tool(act(effect))
                .confirming(ConfirmPreset.CONFIRM_SENSITIVE)
                .asking((ready, _, _) -> {
                    asked.add(ready.subject());
                    return asked.size() == 1
                            ? new Approver.Answer.Yes()
                            : new Approver.Answer.No("enough");
                });
    }
}
