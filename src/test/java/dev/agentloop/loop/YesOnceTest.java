package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;

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

    private AgentFixture fixture(Effect effect, ScriptedLlm.Turn... turns) {
        FakeTool act =
                new FakeTool(
                        "act",
                        effect,
                        (path, _) -> {
                            done.add(path);
                            return ToolResult.ok(path);
                        });
        return AgentFixture.with(ScriptedLlm.of(turns))
                .tool(act)
                .confirming(ConfirmPreset.CONFIRM_SENSITIVE)
                .asking((ready, _, _) -> {
                    asked.add(ready.subject());
                    return asked.size() == 1
                            ? new Approver.Answer.Yes()
                            : new Approver.Answer.No("enough");
                });
    }
}
