package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents from files: what they narrow is narrow for the model and for the policy. */
class ProfilesScenarioTest {
    private static void agentOfUser(World world, String name, String text) throws IOException {
        Path folder = world.root().resolve("config/agent/agents");
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name + ".md"), text);
    }

    @Test
    @Tag("C36")
    @DisplayName("one file says prompt, tools, rules and limits; they hold for model and policy")
    void aFile() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call("write_file", "file_path", "x", "content", "x"),
                                        call("read_file", "file_path", "secret/plan"),
                                        call("read_file", "file_path", "a")),
                                says("Done."));
                var world = World.with(model).file("secret/plan", "hush").file("a", "of a")) {
            agentOfUser(
                    world,
                    "reader",
                    """
                    ---
                    description: Reads.
                    tools: [read_*, grep]
                    deny: ["read_file(secret/**)"]
                    max_steps: 7
                    effort: low
                    ---
                    You only read.
                    """);
            Ended ended = world.runInside("--json", "--agent", "reader", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.request(0).system().startsWith("You only read."));
            assertEquals(List.of("read_file", "grep"), model.request(0).tools());
            assertEquals("reader", ended.result().path("agent").asText());
            assertFalse(world.exists("x"));
            String results = model.lastRequest().raw();
            assertTrue(results.contains("There is no tool named"), results);
            assertFalse(results.contains("hush"), results);
            assertTrue(results.contains("of a"), results);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "review", "explore", "resume"})
    @Tag("scenario-79")
    @DisplayName("write tools of reading agents are neither offered nor executable")
    void readingAgents(String agent) {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "x", "content", "x"),
                                says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--trust", "--yolo", "-a", agent, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("x"));
            assertFalse(model.request(0).tools().contains("write_file"));
            assertFalse(model.request(0).tools().contains("run_command"));
            assertTrue(model.lastRequest().lastToolResult().contains("no tool named"));
        }
    }

    private static final String WRITER =
            "---\nread: [\"src/**\"]\nedit: [\"docs/**\"]\n---\nYou write docs.";

    @Test
    @Tag("C36")
    @DisplayName("the files that an agent may edit are held by the policy, also against yolo")
    void reachOfEdits() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call(
                                                "edit_file",
                                                "file_path",
                                                "src/a",
                                                "old_string",
                                                "a",
                                                "new_string",
                                                "b"),
                                        call(
                                                "write_file",
                                                "file_path",
                                                "docs/new.md",
                                                "content",
                                                "hello")),
                                says("Done."));
                var world = World.with(model).file("src/a", "a needle")) {
            agentOfUser(world, "writer", WRITER);
            Ended ended =
                    world.runInside(
                            "--json",
                            "--trust",
                            "--yolo",
                            "--sandbox",
                            "off",
                            "-a",
                            "writer",
                            "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("a needle", world.read("src/a"));
            assertEquals("hello", world.read("docs/new.md"));
            String results = model.lastRequest().raw();
            assertTrue(results.contains("this agent may edit only docs/**"), results);
            assertFalse(model.request(0).tools().contains("run_command"));
        }
    }

    @Test
    @Tag("C36")
    @DisplayName("what an agent may not read is read by no tool, no search and no command")
    void reachOfReads() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call("read_file", "file_path", "private/key.txt"),
                                        call("grep", "pattern", "needle"),
                                        call("run_command", "command", "cat private/key.txt")),
                                says("Done."));
                var world =
                        World.with(model)
                                .file("src/a", "a needle")
                                .file("private/key.txt", "hidden needle")) {
            agentOfUser(world, "writer", WRITER);
            Ended ended =
                    world.runInside(
                            "--json",
                            "--trust",
                            "--yolo",
                            "--sandbox",
                            "off",
                            "-a",
                            "writer",
                            "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String results = model.lastRequest().raw();
            assertTrue(results.contains("this agent may read only src/**"), results);
            assertTrue(results.contains("src/a\\n1: a needle"), results);
            assertFalse(results.contains("hidden needle"), results);
        }
    }

    @Test
    @Tag("P15")
    @Tag("P16")
    @DisplayName("a project's agent may hold back, but not allow, confirm or choose a model")
    void ofAProject() {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "touch x"), says("Done."));
                var world = World.with(model)) {
            world.file(
                    ".agent/agents/mine.md",
                    """
                    ---
                    confirm: yolo
                    allow: [run_command]
                    model: other/model
                    deny: [run_command]
                    ---
                    A project's agent.
                    """);
            Ended ended = world.runInside("--json", "--trust", "-a", "mine", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.request(0).system().startsWith("A project's agent."));
            assertFalse(world.exists("x"));
            String warnings = ended.result().path("warnings").toString();
            assertTrue(
                    warnings.contains(
                            "mine.md, a project may not set: agents.mine.confirm (line 2),"
                                    + " agents.mine.allow (line 3), agents.mine.model (line 4)"),
                    warnings);
        }
    }

    @Test
    @Tag("P15")
    @Tag("scenario-81")
    @DisplayName("agents of an untrusted workspace are not there, and one line says so")
    void untrusted() {
        try (var world = World.withoutModel().file(".agent/agents/mine.md", "Obey.")) {
            Ended ended = world.runInside("--json", "-a", "mine", "go");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("there is no agent named \"mine\""), ended::err);
            assertTrue(ended.err().contains("Known: build, plan, review"), ended::err);
            assertTrue(ended.err().contains("Not loaded"), ended::err);
            assertTrue(ended.err().contains("/.agent/agents"), ended::err);
        }
    }

    @Test
    @DisplayName("A mistake in a file is named with file, line and what was probably meant")
    void mistakes() throws IOException {
        try (var world = World.withoutModel()) {
            agentOfUser(world, "a", "---\ndescription: x\nmax_step: 3\nread_only: often\n---\nHi");
            Ended ended = world.runInside("go");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(
                    ended.err()
                            .contains(
                                    "a.md:3: agents.a.max_step: unknown key; did you mean"
                                            + " \"max_steps\"?"),
                    ended::err);
            assertTrue(ended.err().contains("a.md:4: agents.a.read_only:"), ended::err);

            agentOfUser(world, "a", "---\ntools: [read_fil]\n---\nHi");
            Ended tool = world.runInside("-a", "a", "go");
            assertEquals(3, tool.exitCode(), tool::toString);
            assertTrue(
                    tool.err().contains("a.md:2: agents.a.tools: \"read_fil\" names no tool"),
                    tool::err);

            agentOfUser(world, "a", "---\ndeny: [run_comand]\n");
            Ended open = world.runInside("-a", "a", "go");
            assertTrue(open.err().contains("a.md:1: has a header that does not end"), open::err);
        }
    }

    @Test
    @Tag("C36")
    @DisplayName("accept-edits and auto-approve are the usual agent with other answers")
    void presets() {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."), says("Done."));
                var world = World.with(model)) {
            for (String agent : List.of("build", "accept-edits", "auto-approve")) {
                Ended ended = world.runInside("--json", "--sandbox", "off", "-a", agent, "go");
                assertEquals(0, ended.exitCode(), ended::toString);
            }
            assertEquals(model.request(0).system(), model.request(1).system());
            assertEquals(model.request(0).system(), model.request(2).system());
            assertTrue(model.request(0).system().startsWith("You are agent, a coding agent"));
        }
    }

    @Test
    @DisplayName(
            "agent agents lists what can be chosen, shows where each value is from, begins a file")
    void theCommand() {
        try (var world =
                World.withoutModel()
                        .file(".agent/agents/docs.md", "---\nmax_steps: 5\n---\nDocs.")) {
            Ended list = world.inside("agents", "list", "--trust");
            assertEquals(0, list.exitCode(), list::toString);
            assertTrue(list.out().contains("build  [built-in]  Does the task"), list::out);
            assertTrue(list.out().contains("docs  [project]\n"), list::out);

            Ended show = world.inside("agents", "show", "docs", "--trust");
            assertTrue(show.out().contains("max_steps: 5  # "), show::out);
            assertTrue(show.out().contains("docs.md:2\n"), show::out);
            assertTrue(show.out().endsWith("\nDocs.\n"), show::out);
            assertTrue(world.inside("agents", "show", "plan").out().contains("read_only: true"));

            Ended json = world.inside("agents", "show", "docs", "--trust", "--json");
            assertEquals(5, json.result().at("/settings/max_steps").asInt(), json::toString);
            Ended usual = world.inside("agents", "show", "build", "--json");
            String description = usual.result().at("/settings/description").asText();
            assertTrue(description.startsWith("Does the task"), usual::toString);
            Ended other = world.inside("agents", "new", "build");
            assertTrue(other.err().contains("stands in place of its own"), other::toString);

            assertEquals(0, world.inside("agents", "new", "mine").exitCode());
            assertTrue(world.inside("agents", "list").out().contains("mine  [user]"));
            Ended again = world.inside("agents", "new", "mine");
            assertEquals(3, again.exitCode(), again::toString);
            assertTrue(again.err().contains("is there already"), again::err);
            assertEquals(3, world.inside("agents", "show", "nobody", "--json").exitCode());
        }
    }

    @Test
    @Tag("C36")
    @DisplayName("in mixed mode the plan keeps to the files and rules of plan")
    void mixed() {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call("grep", "pattern", "needle"),
                                        call("read_file", "file_path", "src/no")),
                                says("The plan."),
                                says("Built."));
                var world =
                        World.with(model)
                                .file("src/a", "a needle")
                                .file("src/no", "denied")
                                .file("other", "hidden needle")) {
            world.config("agents: {plan: {read: [\"src/**\"], deny: [\"read_file(src/no)\"]}}");
            Ended ended = world.runInside("--json", "--trust", "--mode", "mixed", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String results = model.request(1).raw();
            assertTrue(results.contains("src/a\\n1: a needle"), results);
            assertFalse(results.contains("hidden needle"), results);
            assertTrue(results.contains("Not allowed: the rule read_file(src/no)"), results);
        }
    }
}
