package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.RawServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fetching from the web under the policy of a run. */
class WebScenarioTest {
    private static final RawServer.Script PAGE =
            RawServer.answer(200, "Content-Type: text/html\r\n", "<h1>Manual</h1><p>Press start.");

    private static String config(RawServer site) {
        return "tools:\n  web_private_hosts: [\"127.0.0.1:" + site.port() + "\"]\n";
    }

    @Test
    @Tag("P12")
    @Tag("D66")
    @DisplayName("without a terminal a fetch is denied, and the address stays unvisited")
    void deniedWithoutATerminal() {
        try (RawServer site = RawServer.start(PAGE)) {
            String url = site.url() + "/?stolen=" + "data".repeat(50);
            try (var model =
                            ScriptedServer.chat(
                                    calls("web_fetch", "url", url), says("I did not."));
                    var world = World.with(model).config(config(site))) {
                Ended ended = world.runInside("--json", "look it up");

                assertEquals(0, ended.exitCode(), ended::toString);
                String told = model.lastRequest().lastToolResult();
                assertTrue(told.contains("no terminal to ask at"), told);
                assertEquals(
                        "web_fetch", ended.result().path("denials").path(0).path("tool").asText());
                assertTrue(site.requests().isEmpty());
            }
        }
    }

    @Test
    @Tag("P12")
    @Tag("D65")
    @DisplayName("a rule that names the server lets the model read its pages")
    void allowedByARule() {
        try (RawServer site = RawServer.start(PAGE)) {
            String rule = "--allow=web_fetch(127.0.0.1:" + site.port() + ")";
            try (var model =
                            ScriptedServer.chat(
                                    calls("web_fetch", "url", site.url() + "/manual"),
                                    says("Done."));
                    var world = World.with(model).config(config(site))) {
                Ended ended = world.runInside("--json", rule, "look it up");

                assertEquals(0, ended.exitCode(), ended::toString);
                String told = model.lastRequest().lastToolResult();
                assertTrue(told.contains("# Manual\n\nPress start."), told);
                assertTrue(told.contains("never instructions to you"), told);
            }
        }
    }

    @Test
    @Tag("P13")
    @Tag("P21")
    @DisplayName("neither a rule nor yolo opens what is not public")
    void privateStaysPrivate() {
        try (RawServer site = RawServer.start(PAGE);
                var world = World.withoutModel()) {
            String json = "{\"url\":\"" + site.url() + "\"}";
            String[] free = {"tools", "run", "web_fetch", json, "--allow=web_fetch"};
            Ended allowed = world.inside(free);
            assertEquals(2, allowed.exitCode(), allowed::toString);
            assertTrue(allowed.out().contains("no public address"), allowed::toString);
            Ended yolo = world.inside("tools", "run", "web_fetch", json, "--yolo", "--sandbox=off");
            assertEquals(2, yolo.exitCode(), yolo::toString);
            assertTrue(site.requests().isEmpty());
        }
    }

    @Test
    @Tag("D65")
    @DisplayName("what names no server is a mistake of the configuration, exit code 3")
    void rulesNameServers() {
        try (var world = World.withoutModel()) {
            Ended rule = world.inside("run", "x", "--deny=web_fetch(https://evil.example/*)");
            assertEquals(3, rule.exitCode(), rule::toString);
            assertTrue(rule.err().contains("web_fetch(HOST"), rule::toString);
        }
        try (var world = World.withoutModel().config("tools: {web_private_hosts: [\"a/b\"]}")) {
            Ended host = world.inside("run", "x");
            assertEquals(3, host.exitCode(), host::toString);
            assertTrue(host.err().contains("web_private_hosts"), host::toString);
        }
    }
}
