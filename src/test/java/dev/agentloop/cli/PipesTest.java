package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever opens a pipe waits for its other end, which may never come. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipesTest {
    private static void pipe(World world, String name) throws Exception {
        Path file = world.workspace().resolve(name);
        Files.createDirectories(file.getParent());
        assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config show",
                "config trust",
                "policy explain run_command(ls)",
                "tools run list_files {}",
                "tools list",
                "status",
                "doctor",
                "skills list",
                "agents list",
                "memory list",
                "context"
            })
    @DisplayName("A pipe with the name of a file of the workspace holds no command up")
    void inTheWorkspace(String command) throws Exception {
        for (String name : List.of(".git", "AGENTS.md", ".gitignore", ".agent/config.yaml")) {
            try (var world = World.withoutModel().ordinary()) {
                pipe(world, name);

                Ended ended = world.inside(command.split(" "));
                assertTrue(ended.exitCode() <= 4, () -> name + ": " + ended);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git",
                "AGENTS.md",
                ".gitignore",
                "below/.gitignore",
                "below/AGENTS.md",
                ".ignore",
                ".rgignore",
                ".agent",
                ".agent/agents",
                ".agent/policy.yaml",
                ".agent/agents/a.md",
                ".agent/skills/a/SKILL.md",
                ".agent/commands/a.md",
                ".mcp.json",
                "file.txt"
            })
    @DisplayName("Nor a run, whatever it looks at")
    void inTheWorkspaceOfARun(String name) throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                Reply.calls(
                                        Reply.call("grep", "pattern", "x"),
                                        Reply.call("find_files", "pattern", "*.txt"),
                                        Reply.call("list_files", "recursive", true),
                                        Reply.call("search_code", "query", "x"),
                                        Reply.call("read_file", "file_path", "below/a.txt"),
                                        Reply.call("read_file", "file_path", name)),
                                Reply.says("done"));
                var world = World.with(model).ordinary()) {
            world.file("below/a.txt", "x\n");
            if (!name.equals(".git")) {
                var git =
                        new ProcessBuilder("git", "init", "-q")
                                .directory(world.workspace().toFile());
                assertEquals(0, git.start().waitFor());
            }
            pipe(world, name);
            Ended ended = world.runInside("--json", "--sandbox=off", "--timeout=20s", "go");

            String stop = ended.result().path("stop_reason").asText();
            assertTrue(List.of("llm_done", "config_error").contains(stop), ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --config=pipe go",
                "run --mcp-config=pipe go",
                "run --prompt-file=pipe",
                "run --json-schema=pipe go",
                "run --image=pipe go",
                "run --record=pipe go",
                "run --ca-file=pipe go",
                "loop --spec=pipe --check=true",
                "pipeline pipe",
                "eval pipe",
                "parallel pipe",
                "replay pipe",
                "policy test pipe",
                "policy audit pipe"
            })
    @DisplayName("A pipe in an option whose other end never comes is refused or left")
    void inAnOption(String command) throws Exception {
        try (var world = World.withoutModel()) {
            pipe(world, "pipe");

            Ended ended = world.inside(command.split(" "));
            assertTrue(ended.exitCode() > 0, ended::toString);
        }
    }

    @Test
    @DisplayName("An answer for a pipe that nobody reads is lost with a word, not waited for")
    void outputOfARun() throws Exception {
        try (var model = ScriptedServer.chat(Reply.says("done"));
                var world = World.with(model)) {
            pipe(world, "pipe");

            Ended ended = world.runInside("-o", "pipe", "go");
            assertTrue(ended.err().contains("cannot be written: nobody reads it"), ended::toString);
        }
    }

    @Test
    @DisplayName("A file for certificates that is a pipe is refused")
    void inAVariable() throws Exception {
        try (var world = World.withoutModel()) {
            pipe(world, "pipe");
            world.env("SSL_CERT_FILE", world.workspace().resolve("pipe").toString());

            Ended ended =
                    world.runInside("-m", "office/x", "--base-url=https://127.0.0.1:9/v1", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("it is not a regular file"), ended::toString);
        }
    }
}
