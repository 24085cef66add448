package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** C43: what has changed since a session last ran is told, and the stricter policy holds. */
class SessionTermsScenarioTest {
    private static final Reply WRITE = calls("write_file", "file_path", "b.txt", "content", "new");

    @Test
    @Tag("C43")
    @DisplayName("a rule that forbade stays; one that newly allows holds only if it is said")
    void stricterRules() {
        try (var model =
                        ScriptedServer.chat(
                                says("One."),
                                WRITE,
                                says("Two."),
                                WRITE,
                                says("Three."),
                                WRITE,
                                says("Four."));
                var world = World.with(model).file("a.txt", "old")) {
            String id =
                    world.runInside("--json", "--deny", "write_file(b.txt)", "one")
                            .result("session_id");
            world.config("permissions: {allow: [\"write_file(b.txt)\"]}");
            Ended second = world.runInside("--json", "--session", id, "two");
            assertEquals(1, second.result().path("denials").size(), second::toString);
            String told = second.result().path("warnings").toString();
            assertTrue(told.contains("deny write_file(b.txt) is gone; it still holds"), told);
            assertTrue(told.contains("allow write_file(b.txt) is new; it does not hold"), told);
            assertFalse(world.exists("b.txt"));

            // a rule that forbids goes before one that allows, also before one of the command line
            Ended third =
                    world.runInside(
                            "--json", "--session", id, "--allow", "write_file(b.txt)", "three");
            assertEquals(1, third.result().path("denials").size(), third::toString);

            String free = world.runInside("--json", "--no-session", "four").toString();
            assertTrue(world.exists("b.txt"), free);
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("a model that a resume names is the session's from then on")
    void anotherModel() {
        try (var model = ScriptedServer.chat(says("One."), says("Four."));
                var other = ScriptedServer.chat(says("Two."), says("Three."));
                var world =
                        World.with(model)
                                .provider("other", other)
                                .env("OTHER_API_KEY", "sk-other-51c")) {
            world.runInside("--json", "one");
            Ended second = world.inside("resume", "--last", "--json", "-m", "other/model", "two");
            assertEquals("Two.", second.result("result"), second::toString);

            Ended third = world.inside("resume", "--last", "--json", "three");
            assertEquals("Three.", third.result("result"), third::toString);
            assertFalse(third.err().contains("since this session last ran"), third::err);
            assertEquals(other.request(0).system(), other.request(1).system());

            world.inside("resume", "--last", "--json", "-m", "canary/model", "four");
            String raw = model.lastRequest().raw();
            for (String part : new String[] {"one", "One.", "two", "Two.", "Three.", "four"}) {
                assertTrue(raw.contains(part), raw);
            }
        }
    }

    @Test
    @DisplayName("a server named for a model, and its key, are for this model alone, and stay so")
    void namedServer() {
        try (var named = ScriptedServer.chat(says("One."), says("Four."));
                var other = ScriptedServer.chat(says("Two."), says("Three."));
                var world =
                        World.with(named)
                                .provider("other", other)
                                .env("OTHER_API_KEY", "sk-other-51c")
                                .env("NAMED_KEY", "sk-named-8d2")) {
            String url = "--base-url=" + named.baseUrl();
            world.runInside("--json", url, "--api-key-env=NAMED_KEY", "one");
            String[] second = {"resume", "--last", "--json", "-m", "other/model", "two"};
            assertEquals(0, world.inside(second).exitCode());
            Ended third = world.inside("resume", "--last", "--json", "three");
            assertEquals("Three.", third.result("result"), third::toString);
            assertEquals(1, named.requests().size());
            String[] fourth = {"resume", "--last", "--json", "-m", "canary/model", "four"};
            Ended back = world.inside(fourth);
            assertEquals("Four.", back.result("result"), back::toString);

            for (int i = 0; i < 2; i++) {
                assertEquals(
                        "Bearer sk-named-8d2", named.request(i).headers().get("authorization"));
                assertEquals(
                        "Bearer sk-other-51c", other.request(i).headers().get("authorization"));
            }
        }
    }

    private static final String THOUGHT =
            """
            {"type":"message","role":"assistant","content":[\
            {"type":"thinking","thinking":"Look first.","signature":"c2lnbmVk"},\
            {"type":"tool_use","id":"t1","name":"read_file","input":{"file_path":"a.txt"}}],\
            "stop_reason":"tool_use","usage":{"input_tokens":100,"output_tokens":10}}\
            """;

    @Test
    @Tag("C43")
    @DisplayName("a model that does not exist costs a session nothing, not even a thought")
    void mistypedModel() {
        try (var model = ScriptedServer.start(Protocol.MESSAGES, Script.whole(THOUGHT, 100, 10));
                var gone = ScriptedServer.chat();
                var world =
                        World.with(model)
                                .file("a.txt", "old")
                                .provider("other", gone)
                                .env("OTHER_API_KEY", "k")) {
            model.then(says("One."));
            model.then(says("Two."));
            assertEquals(0, world.runInside("--json", "one").exitCode());
            gone.then(Faults.status(404, "", "no such model"));
            Ended failed = world.inside("resume", "--last", "--json", "-m", "other/modl", "two");
            assertEquals(1, failed.exitCode(), failed::toString);
            Ended ended = world.inside("resume", "--last", "--json", "-m", "canary/model", "two");
            assertEquals("Two.", ended.result("result"), ended::toString);
            assertTrue(model.lastRequest().raw().contains("c2lnbmVk"), model.lastRequest().raw());
            assertFalse(gone.request(0).raw().contains("c2lnbmVk"));
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("a rule with a secret is not kept; to go on without it is refused")
    void ruleWithSecret() {
        try (var model = ScriptedServer.chat(says("One."), WRITE, says("Two."), says("Three."));
                var world = World.with(model).env("DEPLOY_TOKEN", "tok-4f8a91c2e7d3b650")) {
            String rule = "write_file(*tok-4f8a91c2e7d3b650*)";
            String id = world.runInside("--json", "--deny", rule, "one").result("session_id");

            Ended without = world.runInside("--session", id, "two");
            assertEquals(3, without.exitCode(), without::toString);
            assertTrue(without.err().contains("whose secret was not kept"), without::toString);
            assertFalse(without.toString().contains("tok-4f8a91c2e7d3b650"), without::toString);

            Ended with = world.runInside("--json", "--session", id, "--deny", rule, "two");
            assertEquals(0, with.exitCode(), with::toString);
            assertFalse(with.result().path("warnings").toString().contains("deny"), with::toString);

            String other = "write_file(*tok-0000000000000000*)"; // the secret is another one by now
            Ended anew = world.runInside("--json", "--session", id, "--deny", other, "three");
            assertEquals(0, anew.exitCode(), anew::toString);
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("a folder that commands may newly write to does not hold in an old session")
    void newWritableFolder() {
        try (var model = ScriptedServer.chat(says("One."), says("Two."), says("Three."));
                var world = World.with(model)) {
            String id = world.runInside("--json", "one").result("session_id");
            world.config("sandbox: {writable: [\"/var/tmp\"]}");
            Ended second = world.runInside("--json", "--session", id, "two");
            String told = second.result().path("warnings").toString();
            assertTrue(told.contains("writable folder /var/tmp is new; it does not hold"), told);
            Ended third = world.runInside("--json", "--session", id, "three");
            told = third.result().path("warnings").toString();
            assertTrue(told.contains("writable folder /var/tmp is new"), "still not: " + told);
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("confirm and sandbox stay the stricter ones, unless the command line says more")
    void stricterModes() {
        try (var model =
                        ScriptedServer.chat(
                                says("One."), WRITE, says("Two."), WRITE, says("Three."));
                var world = World.with(model)) {
            String id = world.runInside("--json", "one").result("session_id");
            world.config("permissions: {confirm: yolo}\nsandbox: {mode: \"off\", network: true}");
            Ended second = world.runInside("--json", "--session", id, "two");
            assertEquals(0, second.exitCode(), second::toString);
            String told = second.result().path("warnings").toString();
            assertTrue(
                    told.contains("confirm was confirm-sensitive and would be yolo; the stricter"),
                    told);
            assertTrue(told.contains("sandbox was auto and would be off; the stricter"), told);
            assertTrue(told.contains("network was off and would be on; the stricter"), told);
            Ended third =
                    world.runInside("--json", "--session", id, "--yolo", "--sandbox=off", "three");
            assertEquals("none", third.result("sandbox"), third::toString);
            assertTrue(third.result().path("warnings").toString().contains("is yolo"));
            assertTrue(world.exists("b.txt"));
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("another model, other tools and another agent are named; nothing new is not")
    void differences() {
        try (var model = ScriptedServer.chat(says("One."), says("Two."));
                var other = ScriptedServer.chat(says("Three."));
                var world = World.with(model).provider("other", other).env("OTHER_API_KEY", "k")) {
            String id = world.runInside("--json", "one").result("session_id");
            Ended second = world.runInside("--json", "--session", id, "two");
            assertEquals("[]", second.result().path("warnings").toString());
            Ended third =
                    world.runInside(
                            "--json", "--session", id, "-m", "other/model", "-a", "plan", "three");
            String told = third.result().path("warnings").toString();
            assertTrue(told.contains("model was canary/model, is other/model"), told);
            assertTrue(told.contains("tools that are gone: "), told);
            assertTrue(told.contains("write_file"), told);
        }
    }
}
