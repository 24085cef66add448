package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest.Reach;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class BwrapSandboxTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @TempDir(factory = OutsideTmp.class)
    Path root;

    private SandboxWorld world;

    @BeforeEach
    void open() throws IOException {
        world = SandboxWorld.withBubblewrap(root);
    }

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    void commandsWorkInTheWorkspaceAsUsual() throws IOException {
        CommandOutcome outcome = world.run("echo out; echo err >&2; echo new > file; exit 7");

        assertEquals(7, outcome.exitCode());
        assertEquals("out\n", outcome.stdout().text());
        assertEquals("err\n", outcome.stderr().text());
        assertEquals(List.of(), outcome.notes());
        assertEquals("new\n", Files.readString(world.workspace.resolve("file")));
        world.close();
        assertEquals(List.of("file"), names(world.workspace));
    }

    @ParameterizedTest
    @Tag("D68")
    @DisplayName("a script written before does no harm outside of the workspace")
    @ValueSource(strings = {"rm -rf ../outside", "echo x > ../outside/file", "mv ../outside gone"})
    void scriptsStayInside(String harm) throws IOException {
        world.run("printf '#!/bin/sh\\n%s\\n' '" + harm + "' > x.sh; chmod +x x.sh");
        CommandOutcome outcome = world.run("./x.sh");

        assertEquals("before\n", Files.readString(world.outside.resolve("file")));
        assertFalse(outcome.exitCode() == 0, outcome.stdout().text());
    }

    @Test
    @Tag("D31")
    @DisplayName("neither variables nor processes of the machine are in sight")
    void noSecretsInSight() throws IOException {
        String seen =
                world.all(
                        "env; cat /proc/*/environ /proc/1/environ; ps auxe; cat /proc/*/cmdline;"
                                + " ls /proc | grep -c '^[0-9]'");

        assertFalse(seen.contains("sk-canary"), seen);
        assertFalse(seen.contains("surefire"), seen);
    }

    @Test
    @Tag("D31")
    @DisplayName("keys, credentials and our own configuration cannot be read")
    void secretFilesAreHidden() throws IOException {
        String seen =
                world.all(
                        "cat ~/.ssh/* ~/.netrc ~/.config/agent/*; ls -A ~/.ssh ~/.config/agent;"
                                + " cat ~/.cache/notes");

        assertFalse(seen.contains("canary"), seen);
        assertTrue(seen.contains("plain notes"), seen);
    }

    @Test
    void filesInTmpStayForTheNextCommandAndGoWithTheRun() throws IOException {
        world.run("echo kept > /tmp/agent-sandbox-test; test $TMPDIR = /tmp");
        assertEquals("kept\n", world.all("cat /tmp/agent-sandbox-test"));
        assertFalse(Files.exists(Path.of("/tmp/agent-sandbox-test")));

        Path folder = world.runner.outputFolder();
        assertTrue(Files.exists(folder));
        world.close();
        assertFalse(Files.exists(folder));
    }

    @Test
    void aLongOutputCanBeReadAgain() throws IOException {
        CommandOutcome outcome = world.run("seq 300000");
        String file = outcome.stdout().kept().path();

        assertEquals("300000\n", world.all("tail -n 1 " + file));
        assertFalse(world.run("echo x >> " + file).exitCode() == 0);
    }

    @Test
    @Tag("D47")
    @DisplayName("commands commit, but change no hook and no setting of the repository")
    void theRepositoryIsWritableButNotWhatItRuns() throws IOException {
        world.run("git init -q . && git config user.name n && git config user.email e@x");
        CommandOutcome commit = world.run("echo a > f; git add -A && git commit -qm one");
        assertEquals(0, commit.exitCode(), commit.stderr().text());
        assertEquals("f\n", world.all("git ls-files"));

        for (String attack :
                List.of(
                        "echo x > .git/hooks/pre-commit",
                        "git config core.fsmonitor ./x",
                        "mv .git q",
                        "mv .git/hooks .git/h",
                        "rm -rf .git/config",
                        "echo '* filter=x' > .git/info/attributes",
                        "mv .git/info .git/i",
                        "ln -sf /tmp/x .git/config")) {
            assertFalse(world.run(attack).exitCode() == 0, attack);
        }
        assertEquals("", world.all("git status --short"));
        world.close();
        assertFalse(Files.exists(world.workspace.resolve(".git/info/attributes")));
    }

    @ParameterizedTest
    @Tag("D47")
    @Tag("D48")
    @DisplayName("control files are neither made nor changed")
    @ValueSource(
            strings = {
                ".agent/config.yaml",
                ".vscode/tasks.json",
                ".husky/pre-commit",
                ".github/workflows/ci.yml",
                ".mcp.json",
                ".envrc",
                "AGENTS.md"
            })
    void controlFilesAreOutOfReach(String name) throws IOException {
        Path file = world.workspace.resolve(name);
        String write = "mkdir -p $(dirname " + name + "); echo x > " + name;
        CommandOutcome outcome = world.run(write);
        assertFalse(Files.exists(file), "a new one is refused, or put away");
        boolean refused = outcome.exitCode() != 0;
        assertTrue(refused || outcome.notes().toString().contains("quarantined"), name);
        try (Stream<Path> left = Files.walk(world.workspace)) {
            for (Path path : left.filter(Files::isRegularFile).toList()) {
                assertTrue(path.toString().contains(".quarantined"), path.toString());
            }
        }

        Files.createDirectories(file.getParent());
        Files.writeString(file, "mine");
        String top = Path.of(name).getName(0).toString();
        assertFalse(world.run("echo x > " + name).exitCode() == 0);
        assertFalse(world.run("rm -rf " + name).exitCode() == 0);
        world.run("mv " + top + " other");
        assertEquals("mine", Files.readString(file));
        assertEquals("mine", world.all("cat " + name));
    }

    @Test
    @Tag("D48")
    @DisplayName("placeholders stay as long as any command needs them")
    void placeholdersOutliveTheFirstOfTwo() throws IOException {
        BackgroundCommands.Report server =
                world.runner
                        .background()
                        .start(world.request("sleep 50"), Optional.empty())
                        .orElseThrow();
        assertTrue(Files.exists(world.workspace.resolve(".agent")));
        world.run("true");
        assertTrue(Files.exists(world.workspace.resolve(".agent")));

        world.runner.background().stop(server.id());
        world.close();
        assertEquals(List.of(), names(world.workspace));
    }

    @Test
    @Tag("D49")
    @DisplayName("a hook of a nested repository is put away and reported")
    void nestedHooksArePutAway() throws IOException {
        Path hooks = world.workspace.resolve("pkg/.git/hooks");
        world.run("git init -q pkg && echo a > pkg/a");
        Files.writeString(hooks.resolve("mine"), "mine");

        CommandOutcome outcome =
                world.run(
                        "mv pkg q && mkdir -p pkg/.git/hooks && cp q/.git/hooks/mine pkg/.git/hooks"
                                + "; echo evil > pkg/.git/hooks/pre-commit");

        assertTrue(outcome.notes().toString().contains("pre-commit"), outcome.notes().toString());
        assertFalse(Files.exists(hooks.resolve("pre-commit")));
        assertEquals("evil\n", Files.readString(hooks.resolve("pre-commit.quarantined")));
    }

    @Test
    @Tag("D49")
    @DisplayName("a setting of a nested repository that runs a program is put away")
    void nestedSettingsArePutAway() throws IOException {
        assertEquals(
                List.of(), world.run("git init -q a/b; git -C a/b config user.name z").notes());
        Path config = world.workspace.resolve("a/b/.git/config");
        String former = Files.readString(config);

        CommandOutcome outcome = world.run("git -C a/b config core.fsmonitor ./evil");

        assertTrue(outcome.notes().toString().contains("fsmonitor"), outcome.notes().toString());
        assertEquals(former, Files.readString(config));
    }

    @ParameterizedTest
    @Tag("D49")
    @DisplayName("a repository that lies deep, or in a folder of builds, is found by the index")
    @ValueSource(strings = {"a/b/c/d/e", "build/x", "target/a/b"})
    void deepRepositories(String name) throws IOException {
        world.run("git init -q . && git config user.name n && git config user.email e@x");
        String commit = "-c user.name=n -c user.email=e@x commit -q --allow-empty -m x";
        world.run("git init -q " + name + " && git -C " + name + " " + commit);
        Files.writeString(
                world.workspace.resolve(name + "/.git/config"), "[core]\nfsmonitor = ./evil\n");

        CommandOutcome outcome = world.run("git -c core.fsmonitor= add -f " + name);

        assertTrue(outcome.notes().toString().contains("fsmonitor"), outcome.notes().toString());
        assertFalse(Files.exists(world.workspace.resolve(name + "/.git/config")));
    }

    @Test
    @Tag("D72")
    @DisplayName("with 200 more folders to write to, each is writable and nothing else is")
    void manyRoots() throws IOException {
        List<Path> roots = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            roots.add(Files.createDirectories(root.resolve("roots/r " + i)));
        }
        Files.createDirectories(root.resolve("roots/none"));
        Boundaries all =
                new Boundaries(
                        world.workspace, world.home, List.of(), roots, world.environment, false);
        Sandbox wide = new BwrapSandbox(BWRAP, all);
        ProcessRunner runner = new ProcessRunner(world.environment, List.of(), () -> wide);
        String write = "for d in ../roots/*; do echo x > \"$d/f\"; done 2>&1";
        CommandOutcome outcome = runner.run(world.request(write), new Cancellation());
        runner.killAll();

        assertTrue(outcome.stdout().text().contains("roots/none/f"), outcome.stdout().text());
        for (Path one : roots) {
            assertEquals("x\n", Files.readString(one.resolve("f")));
        }
        assertFalse(Files.exists(root.resolve("roots/none/f")));
    }

    @Test
    @Tag("D12")
    @DisplayName("the private folder goes at the end, what links in it lead to stays")
    void linksInThePrivateFolder() throws IOException {
        String links =
                "ln -s %s /tmp/l; mkdir -p /tmp/d/e; ln -s %s /tmp/d/e/l; ln -s %s/file /tmp/f";
        world.run(links.replace("%s", world.outside.toString()));
        assertEquals("before\n", world.all("cat /tmp/f"));
        world.close();

        assertEquals(List.of("file"), names(world.outside));
        assertFalse(Files.exists(world.runner.outputFolder()));
    }

    @Test
    @Tag("D49")
    @DisplayName("where a worktree or a submodule has its settings is not changed unseen")
    void partsOfTheRepository() throws IOException {
        world.run("git init -q . && mkdir -p .git/modules/m .git/worktrees/w");
        Files.writeString(world.workspace.resolve(".git/modules/m/HEAD"), "ref: refs/heads/x\n");

        String usual = "echo ../.. > .git/worktrees/w/commondir";
        assertEquals(List.of(), world.run(usual).notes());
        for (String part : List.of("worktrees/w", "modules/m")) {
            CommandOutcome outcome = world.run("echo /tmp/evil > .git/" + part + "/commondir");
            assertTrue(outcome.notes().toString().contains("commondir"), part);
            assertFalse(Files.exists(world.workspace.resolve(".git/" + part + "/commondir")));
        }
    }

    @ParameterizedTest
    @Tag("D73")
    @DisplayName("no network, and every program knows it at once")
    @ValueSource(
            strings = {
                "python3 -c \"import socket; socket.create_connection(('1.1.1.1', 53), 30)\"",
                "python3 -c \"import socket; socket.getaddrinfo('example.com', 80)\"",
                "bash -c 'echo > /dev/tcp/127.0.0.1/22'",
                "git ls-remote https://example.com/x.git",
                "python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect('/x')\"",
                "python3 -c \"import socket; socket.socket(40, 1).connect((2, 1))\"",
                "node -e \"require('net').connect(80,'1.1.1.1').on('error',()=>process.exit(1))\""
            })
    void noNetwork(String command) throws IOException {
        CommandOutcome outcome = world.run(command);

        assertFalse(outcome.exitCode() == 0, outcome.stdout().text());
        assertTrue(outcome.took().compareTo(Duration.ofSeconds(5)) < 0, outcome.took().toString());
    }

    @Test
    @Tag("D73")
    @DisplayName("a granted call sees the network of the machine, the next one none again")
    void theNetworkIsForOneCall() throws IOException {
        String devices = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | sort | tr '\\n' ' '";
        String here = Files.readString(Path.of("/proc/net/dev"));
        String granted = world.run(world.request(devices).with(Reach.ONLINE)).stdout().text();

        assertEquals(here.lines().count() - 2, granted.strip().split(" ").length);
        assertEquals("lo", world.run(devices).stdout().text().strip());
    }

    @RepeatedTest(20) // it may be seen in the moment in which one program replaces another
    void whatOutlivesTheCommandIsEndedAndNamed() throws IOException {
        CommandOutcome outcome = world.run("setsid sleep 4711 >/dev/null 2>&1 & echo hi");

        assertEquals("hi\n", outcome.stdout().text());
        assertEquals(1, outcome.killed().size(), outcome.killed().toString());
        assertTrue(
                outcome.killed().getFirst().matches(".*(sleep|setsid|sh).*"), outcome.toString());
        assertEquals(List.of(), outcome.suspects());
    }

    @Test
    @Tag("D70")
    @DisplayName("a sandbox that does not come up is an error, never a command without one")
    void noSandboxNoCommand() throws IOException {
        SandboxWorld broken =
                new SandboxWorld(root, "ws", all -> new BwrapSandbox(Path.of("/bin/false"), all));
        try (broken) {
            IOException error =
                    assertThrows(
                            IOException.class,
                            () ->
                                    broken.runner.run(
                                            broken.request("echo ran > ran"), new Cancellation()));
            assertTrue(error.getMessage().contains("sandbox did not start"), error.getMessage());
        }
        assertEquals(List.of(), names(world.workspace));
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
