package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Hard caps, seen from the command line. The model costs $10 in and $30 out a million tokens. */
class BudgetScenarioTest {
    @Test
    @Tag("E20")
    @Tag("C34")
    @DisplayName("a resumed run keeps to the caps that the session was given")
    void capsAreKept() {
        try (var model = ScriptedServer.chat(says("first").counting(3_000, 6_000));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "--budget", "0.3", "go");
            assertEquals(0, first.exitCode(), first::toString);
            Ended second = world.inside("resume", "--last", "--json", "more");
            assertEquals("budget_exceeded", second.result("stop_reason"), second::toString);
            assertEquals(new BigDecimal("0.3"), second.result().at("/cost/cap_usd").decimalValue());
            assertEquals(1, model.requests().size());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("E01")
    @DisplayName("under a cap every protocol limits the reply to what is paid for")
    void theReplyIsLimited(Protocol protocol) {
        try (var model = ScriptedServer.start(protocol, says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--budget", "0.25", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode reserved = world.records("llm_req").getFirst().at("/d/reserved");
            int most = reserved.path("output").asInt();
            assertTrue(most > 1_000 && most < 8_000, reserved::toString);
            String sent = model.requests().getFirst().raw();
            assertTrue(sent.contains("okens\":" + most), sent);
            assertTrue(reserved.path("input").asInt() > sent.length() / 2, reserved::toString);
        }
    }

    @Test
    @Tag("E01")
    @DisplayName("what cannot be paid for is not sent at all")
    void whatIsTooDearIsNotSent() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--budget", "0.01", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("budget_exceeded", ended.result("stop_reason"));
            assertEquals(0, ended.result().at("/cost/usd").asInt(), ended::toString);
            assertEquals(0, model.requests().size());
        }
    }

    @Test
    @Tag("E20")
    @DisplayName("a budget is the session's: a resumed run goes on where the last one ended")
    void aBudgetIsTheSessions() {
        try (var model = ScriptedServer.chat(says("first").counting(3_000, 6_000));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "--budget", "0.3", "go");
            assertEquals(0, first.exitCode(), first::toString);
            Ended second = world.inside("resume", "--last", "--json", "--budget", "0.3", "more");
            assertEquals(2, second.exitCode(), second::toString);
            assertEquals("budget_exceeded", second.result("stop_reason"));
            assertEquals(new BigDecimal("0.21"), second.result().at("/cost/usd").decimalValue());
            assertEquals(1, model.requests().size());
        }
    }

    @Test
    @Tag("E20")
    @Tag("C34")
    @DisplayName("--add-budget is on top of what the session has cost")
    void anAddedBudget() {
        try (var model = ScriptedServer.chat(says("first").counting(3_000, 5_000), says("second"));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "--budget", "0.3", "go");
            assertEquals(0, first.exitCode(), first::toString);
            String[] little = {"resume", "--last", "--json", "--add-budget", "0.01", "more"};
            assertEquals("budget_exceeded", world.inside(little).result("stop_reason"));
            assertEquals(1, model.requests().size());

            String[] enough = {"resume", "--last", "--json", "--add-budget", "0.5", "more"};
            Ended second = world.inside(enough);
            assertEquals("second", second.result("result"), second::toString);
            assertEquals(
                    new BigDecimal("0.68"), second.result().at("/cost/cap_usd").decimalValue());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run|--add-budget=1|new session",
                "resume --last|--add-budget=-1|0 to 1000000",
                "resume --last|--add-budget=1e999999999|0 to 1000000",
                "resume --last|--add-budget=much|0 to 1000000",
                "resume --last|--add-budget=1 --budget=2|one of the two"
            })
    @Tag("E12")
    @DisplayName("an added budget that means nothing is refused before anything is sent")
    void wronglyAdded(String command, String options, String why) {
        try (var model = ScriptedServer.chat(says("first"));
                var world = World.with(model)) {
            assertEquals(0, world.runInside("--json", "go").exitCode());
            Ended ended = world.inside((command + " --json " + options + " more").split(" "));
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains(why), ended::toString);
            assertEquals(1, model.requests().size());
        }
    }
}
