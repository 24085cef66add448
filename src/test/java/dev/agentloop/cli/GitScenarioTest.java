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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repositories of every kind: the agent reads their ignore files and never runs git. */
class GitScenarioTest {
    private static final String MAIN =
            "git init -q main && cd main && git commit -q --allow-empty -m x && cd .. && ";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    no repository              | mkdir ws
                    a repository               | git init -q ws
                    a bare repository          | git init -q --bare ws
                    a worktree                 | MAIN git -C main worktree add -q ../ws
                    a submodule                | MAIN git init -q outer && git -C outer submodule --quiet add ../main sub && ln -s outer/sub ws
                    .git leads nowhere         | mkdir ws && echo gitdir: /nowhere > ws/.git
                    .git is some file          | mkdir ws && head -c 100000 /dev/zero > ws/.git
                    .git is a broken link      | mkdir ws && ln -s gone ws/.git
                    .git is a loop             | mkdir ws && ln -s .git ws/.git
                    """)
    @Tag("B49")
    @DisplayName("searches and edits work the same in")
    void layouts(String name, String script) throws Exception {
        try (var world = World.withoutModel()) {
            Path top = Files.createDirectories(world.root().resolve("layouts"));
            sh(top, script.replace("MAIN ", MAIN));
            Path workspace = top.resolve("ws");
            Files.createDirectories(workspace.resolve("src"));
            Files.writeString(workspace.resolve("src/a.txt"), "needle\n");
            Files.writeString(workspace.resolve("src/b.log"), "needle\n");
            Files.writeString(workspace.resolve(".gitignore"), "*.log\n");

            assertEquals(
                    "src/a.txt\n1: needle\n",
                    tool(world, workspace, "grep", "{'pattern':'needle'}").result("text"));
            String found = tool(world, workspace, "find_files", "{'pattern':'*'}").result("text");
            assertTrue(found.contains("src/a.txt"), found);
            assertFalse(found.contains("b.log") || found.contains(".git/"), found);
            String edit = "{'file_path':'src/a.txt','old_string':'needle','new_string':'pin'}";
            tool(world, workspace, "edit_file", edit);
            assertEquals("pin\n", Files.readString(workspace.resolve("src/a.txt")));
        }
    }

    private static Ended tool(World world, Path workspace, String name, String json) {
        Ended ended =
                world.inside(
                        "tools",
                        "run",
                        name,
                        json.replace('\'', '"'),
                        "--json",
                        "--allow=" + name,
                        "--workspace=" + workspace);
        assertEquals(0, ended.exitCode(), ended::toString);
        assertEquals("", ended.err(), "one notice at most, and there is nothing to notice");
        return ended;
    }

    @Test
    @Tag("B50")
    @DisplayName("nothing of a hostile repository runs, because git is never run")
    void hostileRepository() throws Exception {
        var everything =
                calls(
                        call("list_files", "recursive", true),
                        call("find_files", "pattern", "*.txt"),
                        call("grep", "pattern", "needle"),
                        call("search_code", "query", "needle"),
                        call("read_file", "file_path", "a.txt"),
                        call(
                                "edit_file",
                                "file_path",
                                "a.txt",
                                "old_string",
                                "n",
                                "new_string",
                                "m"),
                        call("write_file", "file_path", "b.txt", "content", "x"),
                        call("move_file", "source_path", "b.txt", "destination_path", "c.txt"),
                        call("delete_file", "file_path", "c.txt"));
        try (var model = ScriptedServer.chat(everything, says("ok"));
                var world = World.with(model).file("a.txt", "needle\n")) {
            trap(world);
            sh(world.workspace(), "git status; git diff; git add a.txt");
            assertTrue(Files.deleteIfExists(world.root().resolve("PWN")), "the trap must bite");

            Path own = Files.createDirectory(world.root().resolve("own"));
            Path git = own.resolve("git");
            Files.writeString(git, "#!/bin/sh\ntouch " + world.root() + "/PWN\n");
            Files.setPosixFilePermissions(git, PosixFilePermissions.fromString("rwxr-xr-x"));
            world.env("PATH", own + ":" + System.getenv("PATH"));

            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(0, ended.result().path("commands_failed").asInt(), ended::toString);
            ended.result()
                    .path("tools_used")
                    .forEach(
                            used -> assertEquals(0, used.path("failures").asInt(), used::toString));
            world.inside("doctor");
            assertFalse(world.exists("../PWN"), ended::toString);
        }
    }

    /** Every setting by which a repository names a program. */
    private static void trap(World world) throws Exception {
        String program = world.root().resolve("trap.sh").toString();
        Files.writeString(Path.of(program), "touch " + world.root() + "/PWN\ncat\n");
        String settings =
                "core.fsmonitor core.sshCommand core.pager core.editor core.askPass diff.external"
                        + " diff.x.textconv filter.x.clean filter.x.smudge credential.helper"
                        + " gpg.program uploadpack.packObjectsHook";
        sh(
                world.workspace(),
                "git init -q . && mkdir hooks && for key in "
                        + settings
                        + "; do git config $key 'sh "
                        + program
                        + "'; done; git config core.hooksPath hooks; cp "
                        + program
                        + " hooks/post-index-change; chmod +x hooks/*");
        world.file(".gitattributes", "* filter=x diff=x\n");
    }

    private static void sh(Path folder, String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("GIT_"));
        variables.putAll(
                Map.of(
                        "HOME", folder.toString(),
                        "GIT_CONFIG_NOSYSTEM", "1",
                        "GIT_ALLOW_PROTOCOL", "file",
                        "GIT_AUTHOR_NAME", "a",
                        "GIT_AUTHOR_EMAIL", "a@b",
                        "GIT_COMMITTER_NAME", "a",
                        "GIT_COMMITTER_EMAIL", "a@b"));
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }
}
