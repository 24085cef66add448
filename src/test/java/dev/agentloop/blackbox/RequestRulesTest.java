package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The model server of the tests refuses what providers refuse, on each protocol. */
class RequestRulesTest {
    @ParameterizedTest
    @EnumSource
    @DisplayName("a real request with a call or a result taken out is refused, and says why")
    void gapsAreSeen(Protocol protocol) {
        Asked real = lastOfATask(protocol);
        assertEquals(List.of(), RequestRules.violations(real));
        int size = real.messages().size();

        assertRefused("calls without a result", without(real, size - 1));
        assertRefused("which nobody called", without(real, size - 2));
        assertRefused("no messages", without(real, 0, size));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a history that was rewritten is seen, one that only grew is not")
    void rewritingIsSeen(Protocol protocol) {
        Asked real = lastOfATask(protocol);
        int size = real.messages().size();
        GrowingHistory history = new GrowingHistory();

        assertEquals(List.of(), history.violations(without(real, size - 2, size)));
        assertEquals(List.of(), history.violations(real));
        assertEquals(1, history.violations(without(real, size - 4)).size());
    }

    private static Asked lastOfATask(Protocol protocol) {
        try (var model = WholeTask.model(protocol);
                var world = WholeTask.world(model)) {
            world.runInside(WholeTask.words("--parallel-tools"));
            return model.lastRequest();
        }
    }

    private static Asked without(Asked real, int index) {
        return without(real, index, index + 1);
    }

    private static Asked without(Asked real, int from, int to) {
        ObjectNode body = real.body().deepCopy();
        ArrayNode history = (ArrayNode) real.protocol().form.history(body);
        for (int i = from; i < to; i++) {
            history.remove(from);
        }
        return new Asked(
                real.protocol(), real.target(), real.headers(), body, body.toString(), real.at());
    }

    private static void assertRefused(String why, Asked asked) {
        List<String> violations = RequestRules.violations(asked);
        assertTrue(violations.stream().anyMatch(v -> v.contains(why)), violations::toString);
    }
}
