package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.process.CommandOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LandlockSandboxTest {
    @TempDir(factory = OutsideTmp.class)
    Path root;

    private SandboxWorld world;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(LandlockSandbox.trouble().isEmpty(), "no Landlock here");
        world = new SandboxWorld(root, "ws", LandlockSandbox::new);
    }

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    void commandsWorkInTheWorkspaceAsUsual() throws IOException {
        CommandOutcome outcome =
                world.run("echo out; echo err >&2; echo new > file; echo x > $TMPDIR/x && exit 7");

        assertEquals(7, outcome.exitCode());
        assertEquals("out\n", outcome.stdout().text());
        assertEquals("err\n", outcome.stderr().text());
        assertEquals("new\n", Files.readString(world.workspace.resolve("file")));
    }

    @ParameterizedTest
    @DisplayName("D68: nothing outside of the workspace is changed")
    @ValueSource(
            strings = {
                "echo x > ../outside/file",
                "rm -rf ../outside/*",
                "mv ../outside gone",
                "truncate -s 0 ../outside/file",
                "ln ../outside/file f && echo x > f",
                "ln -s ../outside d && echo x > d/file",
                "echo x > /tmp/agent-landlock-test",
                "mount -o remount,rw /",
                "mknod dev b 254 0",
                "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern",
                "head -c 1 /dev/vda",
                "unshare -U true",
                "strace true"
            })
    void nothingOutsideIsChanged(String harm) throws IOException {
        CommandOutcome outcome = world.run(harm);

        assertFalse(outcome.exitCode() == 0, outcome.stdout().text());
        assertEquals("before\n", Files.readString(world.outside.resolve("file")));
    }

    @Test
    @DisplayName("D31: secrets of this program, of its user and its configuration are hidden")
    void secretsAreHidden() throws IOException {
        String seen =
                world.all(
                        "env; cat /proc/[0-9]*/environ; cat ~/.ssh/* ~/.netrc ~/.config/agent/*;"
                                + " ls /nonexistent; cat ~/.cache/notes");

        assertFalse(seen.contains("canary"), seen);
        assertTrue(seen.contains("plain notes"), seen);
    }

    @ParameterizedTest
    @DisplayName("D73: no network, and every program knows it at once")
    @ValueSource(
            strings = {
                "python3 -c \"import socket; socket.create_connection(('1.1.1.1', 53), 30)\"",
                "python3 -c \"import socket; socket.getaddrinfo('example.com', 80)\"",
                "bash -c 'echo > /dev/tcp/127.0.0.1/22'",
                "python3 -c \"import socket; socket.socket(socket.AF_UNIX)\"",
                "python3 -c \"import socket; socket.socket(2, 2).sendto(b'x', ('1.1.1.1', 53))\"",
            })
    void noNetwork(String command) throws IOException {
        CommandOutcome outcome = world.run(command);

        assertFalse(outcome.exitCode() == 0, outcome.stdout().text());
        assertTrue(outcome.took().compareTo(Duration.ofSeconds(5)) < 0, outcome.took().toString());
    }

    @Test
    @DisplayName("D71: no signal reaches a process outside")
    void noSignalLeaves() throws IOException {
        long self = ProcessHandle.current().pid();

        assertFalse(world.run("kill -0 " + self).exitCode() == 0);
        assertEquals(0, world.run("sleep 50 & kill $!").exitCode());
    }

    @Test
    @DisplayName("D48 D49: what cannot be prevented here is put away and reported")
    void controlFilesAreWatched() throws IOException {
        world.run("git init -q .");
        CommandOutcome outcome =
                world.run("mkdir .vscode; echo x > .vscode/tasks.json; echo x > .git/hooks/post-x");

        assertTrue(
                outcome.notes().toString().contains(".vscode was changed"), "" + outcome.notes());
        assertTrue(outcome.notes().toString().contains("post-x"), "" + outcome.notes());
        assertFalse(Files.exists(world.workspace.resolve(".git/hooks/post-x")));
        assertFalse(Files.exists(world.workspace.resolve(".vscode")));
        assertEquals(List.of(), world.run("ls").notes());
    }

    @Test
    void theThreadsOfThisProgramKeepTheirRights() throws IOException {
        world.run("true");
        Files.writeString(world.outside.resolve("file"), "after\n");

        assertEquals("after\n", Files.readString(world.outside.resolve("file")));
        assertTrue(Files.readString(world.own.resolve("config.yaml")).contains("canary"));
    }
}
