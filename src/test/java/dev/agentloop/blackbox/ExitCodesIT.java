package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each exit code once, of the real process; the many ways to each are in the scenario tests. */
class ExitCodesIT {
    @Test
    @Tag("row-2")
    @Tag("row-67")
    @Tag("row-68")
    @DisplayName("a plain answer is exit code 0, and the answer stands on stdout once")
    void success() {
        try (var model = ScriptedServer.chat(says("The answer is 42."), says("Again 42."));
                var world = World.with(model)) {
            Ended text = world.run("what", "is", "it");
            assertEquals(0, text.exitCode(), text::toString);
            assertEquals("The answer is 42.\n", text.out());
            assertTrue(text.err().contains("LLM responded with final text"), text::err);
            assertEquals("what is it", model.lastRequest().lastTask());

            Ended json = world.run("--json", "once", "more");
            assertEquals("llm_done", json.result("stop_reason"));
            assertEquals("Again 42.", json.result("result"));
            assertEquals("success", json.result("status"));
        }
    }

    @Test
    @Tag("A01")
    @Tag("row-6")
    @Tag("row-67")
    @DisplayName("a server that is down is exit code 1 and one line that says where")
    void serverDown() {
        try (var world = World.withoutModel()) {
            Ended ended = world.run("--json", "hello");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("llm_error", ended.result("stop_reason"));
            assertTrue(ended.errorMessage().contains("127.0.0.1:9"), ended::toString);
            assertEquals(1, ended.result().path("retries").asInt());
            assertTrue(ended.err().contains("127.0.0.1:9"), ended::err);
        }
    }

    @Test
    @Tag("row-3")
    @Tag("E07")
    @Tag("row-67")
    @DisplayName("the step limit is exit code 2 after one closing call without tools")
    void stepLimit() {
        var list = calls("list_files");
        try (var model = ScriptedServer.chat(list, list, list, says("Half done."));
                var world = World.with(model)) {
            Ended ended = world.run("--json", "--max-steps", "3", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("max_steps", ended.result("stop_reason"));
            assertEquals("Half done.", ended.result("result"));
            assertEquals(3, ended.result().path("steps").asInt());
            assertEquals(4, model.requests().size());
            assertTrue(model.lastRequest().forbidsTools());
            assertTrue(model.lastRequest().lastText().startsWith("[SYSTEM]"));
        }
    }

    @Test
    @Tag("row-67")
    @DisplayName("a bad option is exit code 3, as one JSON object as well")
    void badOption() {
        try (var world = World.withoutModel()) {
            Ended ended = world.run("--json", "--no-such-option", "hello");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertEquals("config_error", ended.result("stop_reason"));
            assertTrue(ended.errorMessage().contains("--no-such-option"), ended::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("row-7")
    @Tag("A10")
    @DisplayName("a key that is refused is exit code 4 and names the variable, not the key")
    void refusedKey(Protocol protocol) {
        try (var model = ScriptedServer.start(protocol, Faults.status(401));
                var world = World.with(model)) {
            Ended ended = world.run("--json", "hello");
            assertEquals(4, ended.exitCode(), ended::toString);
            assertEquals("auth_error", ended.result("stop_reason"));
            assertTrue(ended.err().contains("CANARY_API_KEY"), ended::err);
            String sent = model.request(0).headers().get(protocol.keyHeader);
            assertEquals(world.key(), sent.replaceFirst("^Bearer ", ""));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("row-12")
    @Tag("row-15")
    @Tag("A57")
    @Tag("A59")
    @DisplayName("a cut answer is continued; a refusal is exit code 2")
    void cutAndRefused(Protocol protocol) {
        Reply cut = says("To be con").ending(Reply.Finish.LENGTH);
        Reply refusal = says("I will not.").ending(Reply.Finish.REFUSAL);
        try (var model = ScriptedServer.start(protocol, cut, says("tinued."), refusal);
                var world = World.with(model)) {
            Ended whole = world.run("--json", "tell");
            assertEquals(0, whole.exitCode(), whole::toString);
            assertEquals("To be continued.", whole.result("result"));
            Ended refused = world.run("--json", "tell more");
            assertEquals(2, refused.exitCode(), refused::toString);
            assertEquals("refused", refused.result("stop_reason"));
            assertEquals("I will not.", refused.result("result"));
        }
    }

    @Test
    @DisplayName("a command that does not exist is exit code 3")
    void unknownCommand() {
        try (var world = World.withoutModel()) {
            Ended ended = world.agent("rnu", "hello");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertEquals("", ended.out());
            assertTrue(ended.err().contains("rnu"), ended::err);
        }
    }
}
