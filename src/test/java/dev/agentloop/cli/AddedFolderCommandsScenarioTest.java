package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands can do in a folder of {@code --add-dir}, and what they leave there. */
class AddedFolderCommandsScenarioTest {
    private static final String ADD = "--add-dir=../lib";

    private static Ended run(World world, String sandbox) {
        Ended ended = world.runInside("--json", "--yolo", "--sandbox=" + sandbox, ADD, "go");
        String found = ended.result("sandbox");
        assumeTrue(found.equals(sandbox.equals("off") ? "none" : sandbox), ended::toString);
        return ended;
    }

    private static World with(ScriptedServer model) throws IOException {
        World world = World.with(model).file("../lib/a.txt", "alpha\n");
        git(world.root().resolve("lib"), "init", "-q");
        return world;
    }

    private static void git(Path folder, String... words) throws IOException {
        List<String> argv = new ArrayList<>(List.of("git", "-C", folder.toString()));
        argv.addAll(List.of(words));
        try {
            assertEquals(0, new ProcessBuilder(argv).inheritIO().start().waitFor());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "off"})
    @DisplayName("commands work in it: they write, move across and commit")
    void commandsWork(String sandbox) throws IOException {
        String work =
                "echo b > ../lib/b && echo c > c && mv c ../lib/c && cd ../lib && git add -A &&"
                        + " git -c user.name=a -c user.email=a@b.c commit -qm one && echo whole";
        try (var model = ScriptedServer.chat(calls("run_command", "command", work), says("Done."));
                var world = with(model)) {
            Ended ended = run(world, sandbox);

            String told = model.lastRequest().lastToolResult();
            assertTrue(told.contains("whole"), told + ended);
            assertEquals("b\n", world.read("../lib/b"));
            assertEquals("c\n", world.read("../lib/c"));
            assertTrue(world.exists("../lib/.git/refs/heads"), told);
        }
    }

    @ParameterizedTest
    @Tag("D47")
    @Tag("D72")
    @ValueSource(strings = {"bwrap", "landlock"})
    @DisplayName(
            "what would run later is not left there: hooks, settings, .envrc, a new repository")
    void nothingIsPlanted(String sandbox) throws IOException {
        String plant =
                """
                cd ../lib
                mkdir -p .git/hooks
                printf '#!/bin/sh\\ntouch /tmp/evil\\n' > .git/hooks/pre-commit
                chmod +x .git/hooks/pre-commit
                git config core.fsmonitor /tmp/evil
                echo 'touch evil' > .envrc
                mkdir -p .vscode .agent sub && echo '{}' > .vscode/tasks.json
                echo 'x: y' > .agent/config.yaml
                git init -q sub && git -C sub config core.sshCommand evil
                mv .git .git2 && cp -r .git2 .git && git config core.pager evil
                true
                """;
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "sh plant.sh"), says("Done."));
                var world = with(model).file("plant.sh", plant)) {
            Ended ended = run(world, sandbox);

            Path lib = world.root().resolve("lib");
            String told = model.lastRequest().lastToolResult();
            assertFalse(Files.exists(lib.resolve(".git/hooks/pre-commit")), told + ended);
            String settings =
                    world.exists("../lib/.git/config") ? world.read("../lib/.git/config") : "";
            assertFalse(settings.contains("evil"), settings + told);
            assertFalse(Files.exists(lib.resolve(".envrc")), told);
            assertFalse(Files.exists(lib.resolve(".vscode")), told);
            assertFalse(Files.exists(lib.resolve(".agent/config.yaml")), told);
            String sub =
                    lib.resolve("sub/.git/config").toFile().exists()
                            ? world.read("../lib/sub/.git/config")
                            : "";
            assertFalse(sub.contains("evil"), sub + told);
            assertTrue(told.contains("in " + lib + ": "), told);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @DisplayName("what lies beside it is as closed as before, and so are secrets in it")
    void besideIt(String sandbox) throws IOException {
        String tries =
                "echo x > ../beside/x; cat ../lib/.env.production; ln -s ../beside ../lib/l;"
                        + " echo y > ../lib/l/y; true";
        try (var model =
                        ScriptedServer.chat(calls("run_command", "command", tries), says("Done."));
                var world =
                        with(model)
                                .file("../beside/a", "a")
                                .file("../lib/.env.production", "TOKEN=very-secret-value\n")) {
            Ended ended = run(world, sandbox);

            assertFalse(world.exists("../beside/x"), ended::toString);
            assertFalse(world.exists("../beside/y"), ended::toString);
            String told = model.lastRequest().lastToolResult();
            assertFalse(told.contains("very-secret-value"), told);
        }
    }

    /** A repository that has been next to the folder for long may hold links into it. */
    private static World linked(ScriptedServer model) throws IOException {
        World world =
                with(model)
                        .file("../lib/tasks", "{}\n")
                        .file(".vscode/keep", "x")
                        .file("x.sh", "echo evil > ../lib/tasks; echo evil > ../lib/env; true\n");
        Path work = world.workspace();
        Files.createSymbolicLink(work.resolve(".vscode/tasks.json"), Path.of("../../lib/tasks"));
        Files.createSymbolicLink(work.resolve(".envrc"), Path.of("../lib/env"));
        return world;
    }

    @ParameterizedTest
    @Tag("D06")
    @ValueSource(strings = {"bwrap", "landlock"})
    @DisplayName("a control file of the workspace that is a link into it is watched there")
    void aControlFileThatLeadsThere(String sandbox) throws IOException {
        try (var model =
                        ScriptedServer.chat(calls("run_command", "command", "sh x.sh"), says("."));
                var world = linked(model)) {
            Ended ended = run(world, sandbox);

            String told = model.lastRequest().lastToolResult();
            boolean kept = world.read("../lib/tasks").equals("{}\n");
            assertTrue(kept || told.contains("tasks changed while the command ran"), told + ended);
            assertFalse(world.exists("../lib/env"), told);
        }
    }

    @Test
    @Tag("P5")
    @DisplayName("file tools take the target of such a link for the control file that it is")
    void fileToolsSeeTheLink() throws IOException {
        try (var model = ScriptedServer.chat();
                var world = linked(model)) {
            String lib = world.root().resolve("lib") + "/";
            model.then(
                    calls(
                            call("write_file", "file_path", lib + "tasks", "content", "evil"),
                            call("write_file", "file_path", lib + "env", "content", "evil")));
            model.then(says("Done."));
            Ended ended = world.runInside("--json", ADD, "go");

            assertEquals(2, ended.result().path("denials").size(), ended::toString);
            assertEquals("{}\n", world.read("../lib/tasks"));
        }
    }

    @Test
    @DisplayName("tasks side by side share an added folder only if their command names it")
    void tasksSideBySide() throws Exception {
        try (var model = ScriptedServer.chat(says("One."));
                var world = with(model).file("a.txt", "a\n")) {
            String lib = world.root().resolve("lib") + "";
            world.config("permissions: {add_dirs: ['%s']}".formatted(lib));
            GitShell.run(
                    world.workspace(), "git init -q -b main; git add -A; git commit -q -m first");

            Ended alone = world.inside("parallel", "look at it");
            assertEquals(0, alone.exitCode(), alone::toString);
            assertFalse(model.lastRequest().system().contains(lib), alone::toString);

            model.expectAnotherBeginning();
            model.then(says("Two."));
            Ended asked = world.inside("parallel", ADD, "look at it");
            assertEquals(0, asked.exitCode(), asked::toString);
            assertTrue(model.lastRequest().system().contains("paths: " + lib), asked::toString);

            model.expectAnotherBeginning();
            model.then(says("Three."));
            world.runInside("go");
            assertTrue(model.lastRequest().system().contains("paths: " + lib));
        }
    }
}
