package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits and checks of the user's configuration, through whole runs. */
class GuardrailsScenarioTest {
    private static final String PEOPLE_RELEASE =
            """
            permissions:
              rules:
                - verdict: deny
                  rule: run_command(git push*)
                  reason: people release
                  match: ["git push origin", "sudo git push"]
                  not_match: [git status]
            """;

    private static final String[] YOLO = {"--json", "--yolo", "--sandbox=off", "go"};

    private static Reply write(String file, String content) {
        return calls("write_file", "file_path", file, "content", content);
    }

    @Test
    @Tag("scenario-52")
    @DisplayName("a code rule blocks, another one only warns")
    void codeRules() {
        String rules =
                """
                guardrails:
                  code_rules:
                    - {pattern: "System\\\\.exit", message: "no exits", severity: block}
                    - {pattern: TODO, message: "say who does it"}
                """;
        try (var model =
                        ScriptedServer.chat(
                                write("A.java", "a\nSystem.exit(1)\n"),
                                write("B.java", "// TODO\n"),
                                says("Done."));
                var world = World.with(model).config(rules)) {
            Ended ended = world.runInside(YOLO);

            assertFalse(world.exists("A.java"));
            assertTrue(world.exists("B.java"));
            assertEquals(
                    "guardrails.code_rules",
                    ended.result().path("denials").path(0).path("rule").asText());
            String told = model.requests().get(1).lastToolResult();
            assertTrue(told.contains("no exits"), told);
            String warned = model.lastRequest().lastToolResult();
            assertTrue(warned.contains("[Code rule: say who does it]"), warned);
        }
    }

    @Test
    @Tag("scenario-53")
    @DisplayName("past the limit no second file is changed, the first one still is")
    void maxFiles() {
        try (var model =
                        ScriptedServer.chat(
                                write("a", "1\n"),
                                write("b", "1\n"),
                                write("a", "2\n"),
                                says("ok"));
                var world = World.with(model).config("guardrails: {max_files_modified: 1}")) {
            world.runInside(YOLO);

            assertFalse(world.exists("b"));
            assertEquals("2\n", world.read("a"));
        }
    }

    @Test
    @DisplayName("lines and commands have limits, too")
    void maxLinesAndCommands() {
        try (var model =
                        ScriptedServer.chat(
                                write("a", "1\n2\n"),
                                write("b", "1\n2\n"),
                                calls("run_command", "command", "touch c"),
                                calls("run_command", "command", "touch d"),
                                says("ok"));
                var world =
                        World.with(model)
                                .config(
                                        "guardrails: {max_lines_changed: 3,"
                                                + " max_commands_executed: 1}")) {
            Ended ended = world.runInside(YOLO);

            assertTrue(world.exists("a") && world.exists("c"), ended::toString);
            assertFalse(world.exists("b") || world.exists("d"), ended::toString);
            assertEquals(2, ended.result().path("denials").size());
        }
    }

    @Test
    @Tag("scenario-54")
    @Tag("C31")
    @DisplayName("a failing gate is the next task; after its retries partial")
    void gates() {
        String gate =
                """
                guardrails:
                  max_gate_retries: 2
                  quality_gates:
                    - {name: build, command: "test -f built || { echo no build; exit 7; }"}
                    - {name: style, command: "false", required: false}
                """;
        try (var model =
                        ScriptedServer.chat(
                                write("a", "1"), says("Done."), write("built", ""), says("Now."));
                var world = World.with(model).config(gate)) {
            Ended ended = world.runInside(YOLO);
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("success", ended.result("status"));
            String told = model.requests().get(2).raw();
            assertTrue(told.contains("[build: FAILED, exit code 7]"), told);
            assertTrue(told.contains("no build"), told);
            assertTrue(told.contains("[style: failed, not required, exit code 1]"), told);
        }
        try (var model =
                        ScriptedServer.chat(
                                write("a", "1"), says("Done."), says("Done!"), says("Really."));
                var world = World.with(model).config(gate)) {
            Ended ended = world.runInside(YOLO);
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("partial", ended.result("status"));
            assertEquals("llm_done", ended.result("stop_reason"));
            assertEquals("Really.", ended.result("result"));
            assertEquals(
                    "check_failed", ended.result().path("errors").path(0).path("code").asText());
            assertEquals(4, model.requests().size());
        }
    }

    @Test
    @DisplayName("a run that only read is not held up by gates")
    void gatesAfterReading() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Nothing to do."));
                var world =
                        World.with(model)
                                .config(
                                        "guardrails: {quality_gates: [{name: x, command: 'false'}]}")) {
            assertEquals(0, world.runInside(YOLO).exitCode());
        }
    }

    @Test
    @Tag("E09")
    @DisplayName("time that is over during a required check is no success, exit code 5")
    void timeIsOverDuringACheck() {
        String slow = "guardrails: {quality_gates: [{name: slow, command: 'sleep 50'}]}";
        try (var model = ScriptedServer.chat(write("a", "1"), says("Done."), says("Out of time."));
                var world = World.with(model).config(slow)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "--timeout=2", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("timeout", ended.result("stop_reason"));
            assertEquals("Out of time.", ended.result("result"));
        }
    }

    @Test
    @DisplayName("a test is wanted after the last edit")
    void testAfterEdit() {
        try (var model =
                        ScriptedServer.chat(
                                write("a", "1"),
                                says("Done."),
                                calls("run_command", "command", "true"),
                                says("Tested."));
                var world =
                        World.with(model).config("guardrails: {require_test_after_edit: true}")) {
            Ended ended = world.runInside(YOLO);
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Tested.", ended.result("result"));
        }
    }

    @Test
    @DisplayName("every decision is in the audit log; a changed or missing line is found")
    void auditLog() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                write("a", "1"),
                                write("AGENTS.md", "x"),
                                write("b", "1"),
                                says("."),
                                write("c", "1"),
                                says("."));
                var world =
                        World.with(model).config("permissions: {audit_log: " + "audit.jsonl}")) {
            world.runInside("--json", "go");
            world.runInside("--json", "go");
            Path log = world.workspace().resolve("audit.jsonl");
            List<String> lines = Files.readAllLines(log);
            assertEquals(4, lines.size());
            assertTrue(lines.get(1).contains("\"verdict\":\"deny\""), lines.get(1));
            assertTrue(lines.get(1).contains("\"rule\":\"P5\""), lines.get(1));
            Ended whole = world.inside("policy", "audit", "audit.jsonl");
            assertEquals(0, whole.exitCode(), whole::toString);
            assertTrue(whole.out().startsWith("4 decisions, whole; seal "), whole::out);

            Files.write(log, List.of(lines.get(0), lines.get(2), lines.get(3)));
            assertEquals(1, world.inside("policy", "audit", "audit.jsonl").exitCode());
            Files.write(
                    log,
                    List.of(
                            lines.get(0),
                            lines.get(1).replace("deny", "allow"),
                            lines.get(2),
                            lines.get(3)));
            Ended changed = world.inside("policy", "audit", "audit.jsonl");
            assertEquals(1, changed.exitCode());
            assertTrue(changed.out().contains("line 3"), changed::out);
        }
    }

    @Test
    @DisplayName("agent policy explain says how calls are judged")
    void policyExplain() {
        try (var world = World.withoutModel().config(PEOPLE_RELEASE)) {
            Ended push = world.inside("policy", "explain", "run_command(ls; git push)");
            assertEquals(0, push.exitCode(), push::toString);
            assertTrue(push.out().startsWith("deny  run_command(ls; git push)\n"), push::out);
            assertTrue(push.out().contains("people release"), push::out);
            Ended json = world.inside("policy", "explain", "run_command(git push)", "--json");
            assertEquals("deny", json.result("verdict"), json::toString);
            assertEquals("unattended", json.result("as"), json::toString);
            Ended read =
                    world.inside("policy", "explain", "read_file(.env)", "--as=trusted-terminal");
            assertTrue(read.out().startsWith("ask  "), read::out);
            assertTrue(read.out().contains("by P2"), read::out);
            assertEquals(3, world.inside("policy", "explain", "fly(x)").exitCode());
            Ended note = world.inside("policy", "explain", "remember(x)"); // only a run has it
            assertTrue(note.err().contains("no tool named \"remember\""), note::toString);
            Ended patch = world.inside("policy", "explain", "apply_patch(x)");
            assertTrue(patch.err().contains("apply_patch '{\"key\": …}'"), patch::toString);
        }
    }

    @Test
    @DisplayName("agent policy test compares how calls are judged with a list")
    void policyTest() {
        try (var world = World.withoutModel().config(PEOPLE_RELEASE)) {
            world.file("cases", "# mine\nallow read_file(a)\ndeny read_file(.env)\n");
            assertEquals(0, world.inside("policy", "test", "cases").exitCode());
            world.file("cases", "allow run_command(git push)\n");
            Ended failed = world.inside("policy", "test", "cases");
            assertEquals(1, failed.exitCode(), failed::toString);
            assertTrue(failed.out().contains("line 1: run_command(git push) is deny"), failed::out);
            Ended misses = world.inside("policy", "test", "cases", "--json");
            assertEquals(1, misses.exitCode(), misses::toString);
            assertEquals("deny", misses.result().at("/misses/0/verdict").asText());
            assertEquals(1, misses.result().path("cases").asInt());
            world.file("cases", "maybe run_command(git push)\n");
            assertEquals(3, world.inside("policy", "test", "cases").exitCode());
        }
        String contradiction = PEOPLE_RELEASE.replace("git status", "git push -f");
        try (var world = World.withoutModel().config(contradiction)) {
            Ended wrong = world.inside("policy", "test");
            assertEquals(3, wrong.exitCode(), wrong::toString);
            assertTrue(wrong.err().contains("which it must not"), wrong::err);
        }
    }
}
