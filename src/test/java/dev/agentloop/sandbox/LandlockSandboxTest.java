package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.sandbox.home.GitCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
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
    @Tag("D68")
    @DisplayName("nothing outside of the workspace is changed")
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
    @Tag("D31")
    @DisplayName("secrets of this program, of its user and its configuration are hidden")
    void secretsAreHidden() throws IOException {
        String seen =
                world.all(
                        "env; cat /proc/[0-9]*/environ; cat ~/.ssh/* ~/.netrc ~/.config/agent/*;"
                                + " ls /nonexistent; cat ~/.cache/notes");

        assertFalse(seen.contains("canary"), seen);
        assertTrue(seen.contains("plain notes"), seen);
    }

    @Test
    @Tag("D31")
    @DisplayName("where no copy of git's settings can be written, no folder is shown instead")
    void withoutACopyOfGitsSettings() {
        Map<String, String> variables = new HashMap<>();
        Path missing = root.resolve("missing");

        Set<Path> given =
                LandlockSandbox.gitSettings(new GitCopy(List.of("x")), missing, variables);

        assertEquals(Set.of(), given, "not /dev with all devices");
        assertEquals(Map.of("GIT_CONFIG_GLOBAL", "/dev/null"), variables);
    }

    @ParameterizedTest
    @Tag("D73")
    @DisplayName("no network, and every program knows it at once")
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
    @Tag("D71")
    @DisplayName("no signal reaches a process outside")
    void noSignalLeaves() throws IOException {
        long self = ProcessHandle.current().pid();

        assertFalse(world.run("kill -0 " + self).exitCode() == 0);
        assertEquals(0, world.run("sleep 50 & kill $!").exitCode());
    }

    @Test
    @DisplayName("files are renamed and linked from folder to folder, also by git")
    void betweenFolders() throws IOException {
        assertEquals(
                "moved\n",
                world.all(
                        "mkdir -p d/a d/b; echo x >d/a/x; echo y >d/a/y; git init -q .; git add d;"
                                + " python3 -c \"import os; os.rename('d/a/x', 'd/b/x');"
                                + " os.link('d/b/x', 'd/a/z')\" && git mv d/a/y d/b/y 2>&1"
                                + " && ls d/b/x d/a/z d/b/y >/dev/null && echo moved"));
    }

    @Test
    @DisplayName("nobody looks into this program, or ends it, by way of its thread in the sandbox")
    void threadsOfThisProgram() throws IOException {
        CommandOutcome outcome =
                world.run(
                        """
                        n=0; for t in /proc/%d/task/*; do n=$((n + 1))
                        kill -0 ${t##*/} 2>/dev/null && echo reached $t
                        for f in environ mem maps fd/0; do head -c1 $t/$f 2>/dev/null >read &&
                        echo read $t/$f; done; done; echo $((n > 5))
                        """
                                .formatted(ProcessHandle.current().pid()));

        assertEquals("1\n", outcome.stdout().text(), outcome::toString);
        Files.writeString(
                world.workspace.resolve("by-file.py"),
                """
                import ctypes, fcntl, os, struct, sys
                libc = ctypes.CDLL(None, use_errno=True)
                reached = lambda done: done and print('reached')
                for thread in os.listdir('/proc/%s/task' % sys.argv[1]):
                    folder = os.open('/proc/' + thread, os.O_RDONLY)
                    reached(libc.syscall(424, folder, 0, None, 0) == 0)
                    fcntl.fcntl(os.pipe()[0], 8, os.getpid())
                    for order, owner in ((8, int(thread)), (15, struct.pack('ii', 0, int(thread)))):
                        try:
                            reached(fcntl.fcntl(os.pipe()[0], order, owner) is not None)
                        except PermissionError:
                            pass
                """);
        assertEquals(
                "", world.all("python3 by-file.py " + ProcessHandle.current().pid() + " 2>&1"));
        assertEquals(
                "killed\n",
                world.all("sleep 60 & kill $! && wait $! 2>&-; [ $? = 143 ] && echo killed"));
    }

    @Test
    @Tag("D48")
    @Tag("D49")
    @DisplayName("what cannot be prevented here is put away and reported")
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

    @ParameterizedTest
    @Tag("D68")
    @DisplayName("mode, owner, times and length of files outside stay what they are")
    @ValueSource(
            strings = {
                "chmod 600 ../outside/file",
                "chmod 777 ../outside",
                "chmod 777 ~/.ssh",
                "ln -s ../outside/file l && chmod 600 l",
                "chown -h :0 ../outside/file",
                "touch -d 2001-01-01 ../outside/file",
                "exec 3<../outside/file && chmod 600 /proc/self/fd/3",
                "exec 3<../outside/file && chmod 600 /dev/fd/3",
                "cd ../outside && chmod 600 file",
                "python3 -c 'import os; os.fchmod(os.open(\"../outside/file\", 0), 0o600)'",
                "python3 -c 'import os; os.utime(\"../outside/file\", (1, 1))'",
                "python3 -c 'import os; os.truncate(\"../outside/file\", 0)'",
                "python3 -c 'import os; os.setxattr(\"../outside/file\", \"user.x\", b\"1\")'",
                "chattr +d ../outside/file",
                "chattr -v 7 ../outside/file",
                "perl -e 'open($f, \"<\", \"../outside/file\"); $v = pack(\"q\", 7);"
                        + " exit(!ioctl($f, 0x40087602, $v))'",
                "perl -e 'open($f, \"<\", \"../outside/file\"); $v = pack(\"q\", 7);"
                        + " $n = `uname -m` =~ /x86/ ? 16 : 29;"
                        + " exit(syscall($n, fileno($f), 0x100000040087602, $v) < 0)'",
                "perl -e 'open($f, \"<\", \"../outside/file\"); $v = pack(\"q\", 7);"
                        + " exit(!ioctl($f, 0x40086604, $v))'",
                "cp /bin/true t && chmod 4755 t",
                "cp /bin/true t && chmod g+s t",
                "python3 -c 'import os; os.umask(0); os.open(\"t\", os.O_CREAT, 0o4755)'",
            })
    void attributesOutsideStay(String harm) throws IOException {
        Path file = world.outside.resolve("file");
        Map<String, Object> before = Files.readAttributes(file, "unix:mode,uid,gid,ctime,size");
        Map<String, Object> folder = Files.readAttributes(world.outside, "unix:mode,ctime");

        CommandOutcome outcome = world.run(harm);

        assertFalse(outcome.exitCode() == 0, outcome.stdout().text());
        assertEquals(before, Files.readAttributes(file, "unix:mode,uid,gid,ctime,size"));
        assertEquals(folder, Files.readAttributes(world.outside, "unix:mode,ctime"));
    }

    @ParameterizedTest
    @DisplayName("in the workspace the same calls do what they always do")
    @ValueSource(
            strings = {
                "echo x > f && chmod 640 f && test $(stat -c %a f) = 640",
                "mkdir d && chmod 700 d && test $(stat -c %a d) = 700",
                "echo x > f && touch -d @86400 f && test $(stat -c %Y f) = 86400",
                "echo x > f && chown $(id -u):$(id -g) f",
                "ln -s nowhere l && touch -h -d @86400 l && test $(stat -c %Y l) = 86400",
                "echo x > f && exec 3<f && chmod 600 /dev/fd/3 && test $(stat -c %a f) = 600",
                "mkdir a && echo x > a/f && cp -a a b && tar c a | tar x -C b && ls b/a/f",
                "chmod 644 missing 2>&1 | grep -q 'No such file'",
                "echo x > $(printf 'a\\377b') && chmod 600 a*b && test $(stat -c %a a*b) = 600",
                "python3 -c 'import os; os.open(\"f\", 65); os.utime(\"f\", ns=(7, 2000000005));"
                        + " assert os.stat(\"f\").st_mtime_ns == 2000000005'",
                "python3 -c 'import os; f = os.open(\"f\", 66); os.fchmod(f, 0o600); os.utime(f);"
                        + " os.write(f, b\"abc\"); os.truncate(\"f\", 1);"
                        + " assert os.stat(\"f\").st_size == 1'",
                "install -m 755 /bin/true t && ./t",
                "echo x > f && cp --reflink=auto f g && filefrag g && lsattr f",
            })
    void attributesInsideChange(String work) throws IOException {
        CommandOutcome outcome = world.run(work);

        assertEquals(0, outcome.exitCode(), outcome.stderr().text());
    }

    @ParameterizedTest
    @DisplayName("no name that a command can think of ends the changes of files for the others")
    @ValueSource(
            strings = {
                "python3 -c 'import os; os.chmod(\"/\" * 4000 + \"f\", 0o600)'",
                "python3 -c 'import os; os.chmod(\"/./\" * 1300 + \"f\", 0o600)'",
                "python3 -c 'import os; os.chmod(\"/dev/fd/\" + \"a\" * 8182, 0o600)'",
                "python3 -c 'import os; os.chmod(\"/dev/fd/\" + \"a\" * 4087, 0o600)'",
                "python3 -c 'import os; os.chmod(\"a\" * 5000, 0o600)'",
            })
    void theGuardOutlivesEveryName(String harm) throws IOException {
        assertFalse(world.run(harm).exitCode() == 0);

        CommandOutcome next = world.run("echo x > f && chmod 640 f && stat -c %a f");
        assertEquals("640\n", next.stdout().text(), next.stderr().text());
    }

    @Test
    void aNameOfManySlashesIsTheNameItIs() throws IOException {
        CommandOutcome outcome =
                world.run(
                        "echo x > f && chmod 640 $(printf %02000d 0 | tr 0 /)$PWD/f"
                                + " && stat -c %a f");

        assertEquals("640\n", outcome.stdout().text(), outcome.stderr().text());
    }

    @ParameterizedTest
    @DisplayName("a call without a name changes no folder: the kernel's answer is a bad address")
    @ValueSource(
            strings = {
                "chmod(None, 0o700)",
                "chown(None, os.getuid(), os.getgid())",
                "lchown(None, os.getuid(), os.getgid())",
                "fchmodat(-100, None, 0o700, 0)",
                "fchownat(-100, None, os.getuid(), os.getgid(), 0)",
                "utimes(None, None)",
                "futimesat(-100, None, None)",
                "truncate(None, 0)",
            })
    void aCallWithoutAName(String call) throws IOException {
        String program =
                "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); print(c."
                        + call
                        + ", os.strerror(ctypes.get_errno()))";
        Map<String, Object> before = Files.readAttributes(world.workspace, "unix:mode,ctime");

        CommandOutcome outcome = world.run("python3 -c '" + program + "'");

        assertEquals("-1 Bad address\n", outcome.stdout().text(), outcome.stderr().text());
        assertEquals(before, Files.readAttributes(world.workspace, "unix:mode,ctime"));
    }

    @Test
    void aDescriptorThatIsNoneIsNotTheCurrentFolder() throws IOException {
        CommandOutcome outcome = world.run("python3 -c 'import os; os.fchmod(-100, 0o700)'");

        assertTrue(outcome.stderr().text().contains("Bad file descriptor"), "" + outcome);
    }

    @Test
    void anOlderKernelIsToldAbout() {
        assertTrue(LandlockSandbox.limits(5).contains("signals"));
        assertEquals("", LandlockSandbox.limits(6));
    }

    @Test
    void aKernelThatLetsNobodyLookAtProcessesIsRefused() throws IOException {
        Path scope = root.resolve("ptrace_scope");
        for (String enough : List.of("0", "1")) {
            Files.writeString(scope, enough + "\n");
            assertTrue(LandlockSandbox.yama(scope).isEmpty());
        }
        for (String tooMuch : List.of("2", "3")) {
            Files.writeString(scope, tooMuch + "\n");
            String told = LandlockSandbox.yama(scope).orElse("");
            assertTrue(told.contains("ptrace_scope is " + tooMuch), told);
        }
        assertTrue(LandlockSandbox.yama(root.resolve("none")).isEmpty());
    }

    @Test
    @DisplayName("a home as the workspace works, but for what is hidden in it")
    void homeAsTheWorkspace() throws IOException {
        world.close();
        world = new SandboxWorld(root, "home", LandlockSandbox::new);
        Files.createDirectories(world.home.resolve("project"));
        Files.writeString(world.home.resolve("notes"), "some\n"); // no command can make it there

        CommandOutcome work =
                world.run("echo more >> notes && echo x > project/new && cat project/new");
        assertEquals("x\n", work.stdout().text(), work.stderr().text());
        assertTrue(work.notes().toString().contains("make, rename or delete"), "" + work.notes());
        for (String harm :
                List.of(
                        "cat .ssh/id_rsa",
                        "cat .netrc",
                        "echo x > .ssh/authorized_keys",
                        "mv .ssh project/",
                        "ln .ssh/id_rsa project/key",
                        "rm -r .config",
                        "rm .config/agent/config.yaml",
                        "echo x >> .config/agent/config.yaml",
                        "chmod 644 .ssh/id_rsa",
                        "chmod 755 .ssh",
                        "echo x > .bash_login")) {
            CommandOutcome outcome = world.run(harm);
            assertFalse(outcome.exitCode() == 0, harm);
            assertEquals(List.of(), outcome.notes(), harm);
        }
        assertEquals("config-canary\n", Files.readString(world.own.resolve("config.yaml")));

        Files.writeString(world.home.resolve("by-the-user"), "later\n");
        assertEquals("later\n", world.run("cat by-the-user").stdout().text());
    }
}
