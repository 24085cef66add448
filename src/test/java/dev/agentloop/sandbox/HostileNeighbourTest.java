package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A command in the background attacks those that start beside it. */
@Timeout(120)
class HostileNeighbourTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    /** Holds each new process up at every step of its start, and tries to write to its memory. */
    private static final String STOPPER =
            """
            import os, signal, sys, time
            def numbers():
                return {int(name) for name in os.listdir('/proc') if name.isdigit()}
            known, met, opened = numbers(), 0, []
            print('watching', flush=True)
            while not os.path.exists('stop'):
                for pid in numbers() - known:
                    known.add(pid)
                    met += 1
                    try:
                        for step in range(3000):
                            os.kill(pid, signal.SIGSTOP)
                            status = open(f'/proc/{pid}/status').read()
                            if 'Seccomp:\t0' not in status:
                                break
                            try:
                                os.close(os.open(f'/proc/{pid}/mem', os.O_RDWR))
                                opened.append(step)
                            except OSError:
                                pass
                            os.kill(pid, signal.SIGCONT)
                        os.kill(pid, signal.SIGCONT)
                    except OSError:
                        pass
            print('met', met, 'opened', opened, flush=True)
            """;

    /** Goes into the sandbox of each new process, where a folder may be that it cannot see. */
    private static final String ENTERING =
            """
            import os, time
            met, wrote = set(), []
            print('watching', flush=True)
            while not os.path.exists('stop'):
                for name in os.listdir('/proc'):
                    if name.isdigit() and int(name) not in (1, os.getpid(), os.getppid()):
                        met.add(name)
                        try:
                            open(f'/proc/{name}/rootBIN/ls', 'w').close()
                            wrote.append(name)
                        except OSError:
                            pass
                time.sleep(0.001)
            print('met', len(met), 'wrote', wrote, flush=True)
            """;

    @TempDir(factory = OutsideTmp.class)
    Path root;

    private SandboxWorld world;

    private void open(Tier tier, Path bubblewrap) throws IOException {
        assumeTrue(tier == Tier.LANDLOCK || Files.isExecutable(BWRAP), "no bubblewrap here");
        assumeTrue(tier == Tier.BWRAP || LandlockSandbox.trouble().isEmpty(), "no Landlock here");
        world =
                new SandboxWorld(
                        root,
                        "ws",
                        all ->
                                tier == Tier.BWRAP
                                        ? new BwrapSandbox(bubblewrap, all)
                                        : new LandlockSandbox(all));
    }

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    @DisplayName("it cannot write to the memory of one that is not confined yet")
    void holdsNewOnesUp() throws Exception {
        open(Tier.BWRAP, BWRAP);
        Files.writeString(world.workspace.resolve("stopper.py"), STOPPER);
        background("python3 stopper.py");
        await("watching");
        for (int i = 0; i < 10; i++) {
            assertEquals("fine\n", world.all("echo fine"));
        }
        Files.createFile(world.workspace.resolve("stop"));

        String told = await("met");
        assertTrue(told.matches("(?s).*met [1-9]\\d* opened \\[\\]\\n"), told);
    }

    @Test
    @DisplayName("beside it a command has no right that it had to join")
    void hasNoRights() throws IOException {
        open(Tier.BWRAP, BWRAP);
        background("sleep 60");

        String status = world.all("grep -E '^(Cap|Seccomp:|NoNewPrivs)' /proc/self/status");
        assertEquals(5, status.lines().filter(line -> line.matches("Cap.*:\t0+")).count(), status);
        assertTrue(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"), status);
    }

    @Test
    @DisplayName(
            "a link that it puts in the place of a folder leads nobody out of the workspace: not the"
                    + " command, and not itself by way of the command's sandbox")
    void putsALinkInTheWay() throws Exception {
        Path quick = root.resolve("quick-bwrap");
        Files.writeString(
                quick,
                """
                #!/bin/sh
                cd ROOT/ws/.git/modules
                [ -e ../../now ] && case " $* " in *' --block-fd '*)
                  mv foo away && ln -s ../../../home/.local/bin foo ;; esac
                cd /; exec BWRAP "$@"
                """
                        .replace("ROOT", root.toString())
                        .replace("BWRAP", BWRAP.toString()));
        assertTrue(quick.toFile().setExecutable(true));
        open(Tier.BWRAP, quick);
        Path module = world.workspace.resolve(".git/modules/foo");
        Files.createDirectories(module.resolve("objects"));
        Files.createDirectories(module.resolve("refs"));
        Files.writeString(module.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(module.resolve("config"), "[core]\n");
        Path bin = Files.createDirectories(world.home.resolve(".local/bin"));
        Files.writeString(
                world.workspace.resolve("enter.py"), ENTERING.replace("BIN", bin.toString()));
        background("python3 enter.py");
        await("watching");
        Files.createFile(world.workspace.resolve("now"));

        IOException refused =
                assertThrows(
                        IOException.class,
                        () -> world.all("echo evil >" + bin.resolve("ls") + "; cat ~/.netrc"));
        Files.createFile(world.workspace.resolve("stop"));
        assertTrue(refused.getMessage().contains("not mounted as it should be"), refused::toString);
        assertFalse(Files.exists(bin.resolve("ls")));
        String told = await("met");
        assertTrue(told.matches("(?s).*met [1-9]\\d* wrote \\[\\]\\n"), told);
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"BWRAP", "LANDLOCK"})
    @DisplayName("it cannot end or look into a command whose answer is about it, as a hook")
    void attacksAHook(Tier tier) throws Exception {
        open(tier, BWRAP);
        background(
                "echo ready; while [ ! -e stop ]; do pkill -KILL -f 'sleep 0.7[0]1' 2>/dev/null &&"
                        + " echo killed; cat /proc/[0-9]*/environ 2>/dev/null |"
                        + " tr '\\0' '\\n' | grep of-the-hook; done; echo over");
        await("ready");
        CommandRequest hook =
                CommandRequest.shell(
                                "export NAME=of-the-hook; for i in 1 2 3; do sleep 0.701; done;"
                                        + " cat",
                                world.workspace,
                                Duration.ofMinutes(1))
                        .reading("question");
        CommandOutcome answer = world.run(hook);
        Files.createFile(world.workspace.resolve("stop"));

        assertEquals("question", answer.stdout().text(), answer::toString);
        String told = await("over");
        assertEquals("ready\nover\n", told);
    }

    @Test
    @DisplayName("under Landlock it looks into nothing that is started beside it, but may end it")
    void looksIntoNothing() throws Exception {
        open(Tier.LANDLOCK, BWRAP);
        background("export NAME=of-the-neighbour; echo $$; exec sleep 60");
        String pid = await("\n").strip();

        assertEquals(
                "ended\n",
                world.all(
                        "cat /proc/PID/environ /proc/PID/fd/0 2>/dev/null; kill PID && echo ended"
                                .replace("PID", pid)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"BWRAP", "LANDLOCK"})
    @DisplayName("named pipes where git has folders hold nobody up")
    void pipesInTheWay(Tier tier) throws Exception {
        open(tier, BWRAP);
        world.all("git init -q . && git init -q m");
        world.all(
                "mkdir -p n/objects; echo 'ref: refs/heads/m' >n/HEAD; mkfifo n/refs n/hooks;"
                        + " rm -rf m/.git/hooks m/.git/refs; mkfifo m/.git/hooks m/.git/refs;"
                        + " cd .git; rm -rf branches hooks objects/info objects/pack;"
                        + " mkfifo branches hooks remotes worktrees modules objects/info"
                        + " objects/pack objects/ab; true");

        assertEquals("on\n", world.all("echo on"));
    }

    /** Signals the numbers that new threads will have, from many threads that the kernel delays. */
    private static final String FORTUNE_TELLER =
            """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <pthread.h>
            #include <sched.h>
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static int newest(void) {
                char text[96] = {0};
                int file = open("/proc/loadavg", O_RDONLY);
                int length = read(file, text, 95);
                close(file);
                return length > 0 ? atoi(strrchr(text, ' ')) : 0;
            }
            static volatile int begun;
            static void *tell(void *ahead) {
                while (!begun) usleep(1000); // else it would end itself
                struct sched_param any = {0};
                syscall(SYS_sched_setscheduler, 0, SCHED_IDLE, &any);
                for (;;) syscall(SYS_kill, newest() + 1 + (int) (long) ahead, SIGKILL);
            }
            int main(void) {
                pthread_t thread;
                for (long i = 0; i < 40; i++) pthread_create(&thread, 0, tell, (void *) (i % 20));
                begun = 1;
                puts("watching");
                fflush(stdout);
                for (;;) pause();
            }
            """;

    @Test
    @DisplayName(
            "under Landlock a signal to the number of a thread to come does not end this program")
    void foretellsNumbers() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no compiler here");
        open(Tier.LANDLOCK, BWRAP);
        Files.writeString(world.workspace.resolve("teller.c"), FORTUNE_TELLER);
        world.all("gcc -o teller teller.c -lpthread");
        background("./teller");
        await("watching");

        for (int i = 0; i < 12; i++) { // the fault ended the whole program at the first or second
            try {
                world.run(world.request("sleep 0.2; echo on")); // it may be ended itself
            } catch (IOException e) {
                assertTrue(e.getMessage().contains("stop that command"), e::getMessage);
            }
        }
    }

    @Test
    @DisplayName(
            "under Landlock signals reach other processes, their groups and threads as without")
    void signalsOthers() throws Exception {
        open(Tier.LANDLOCK, BWRAP);
        Files.writeString(
                world.workspace.resolve("signals.py"),
                """
                import os, signal, subprocess, threading, time
                child = subprocess.Popen(['sleep', '60'])
                os.kill(child.pid, 0)
                os.kill(child.pid, signal.SIGTERM)
                print(child.wait())
                try:
                    os.kill(child.pid, 0)
                except ProcessLookupError:
                    print('gone')
                group = subprocess.Popen(['sh', '-c', 'sleep 60 & wait'], start_new_session=True)
                time.sleep(0.2)
                os.killpg(group.pid, signal.SIGKILL)
                print(group.wait())
                got = []
                signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
                os.kill(os.getpid(), signal.SIGUSR1)
                signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
                signal.raise_signal(signal.SIGUSR1)
                time.sleep(0.1)
                print(len(got))
                """);
        assertEquals("-15\ngone\n-9\n3\n", world.all("python3 signals.py"));
        assertEquals(
                "ended 143\n", world.all("sleep 60 & kill $!; wait $!; echo ended $? 2>/dev/null"));
    }

    @Test
    @DisplayName(
            "under Landlock a call that the agent answers is made once, whatever signal arrives")
    void madeOnce() throws Exception {
        open(Tier.LANDLOCK, BWRAP);
        String[] version = System.getProperty("os.version").split("[.-]");
        int kernel = Integer.parseInt(version[0]) * 1000 + Integer.parseInt(version[1]);
        assumeTrue(kernel >= 5019, "this kernel drops the question at a signal");
        Files.writeString(
                world.workspace.resolve("timer.py"),
                """
                import os, signal
                sent, rung = 0, []
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
                child = os.fork()
                if child == 0:
                    got = 0
                    while signal.sigtimedwait({signal.SIGRTMIN}, 1):
                        got += 1
                    os.write(1, f'got {got}\\n'.encode())
                    os._exit(0)
                signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
                signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
                for i in range(2000):
                    try:
                        os.kill(child, signal.SIGRTMIN)
                        sent += 1
                    except InterruptedError:
                        pass
                signal.setitimer(signal.ITIMER_REAL, 0)
                os.waitpid(child, 0)
                print('sent', sent, len(rung) > 20)
                """);
        String told = world.all("python3 timer.py");
        assertTrue(told.matches("got (\\d+)\\nsent \\1 True\\n"), told);
    }

    /** Starts a command that prints to the file "told". */
    private void background(String command) throws IOException {
        CommandRequest request = world.request("{ " + command + "; } >told 2>&1");
        world.runner.background().start(request.listening(), Optional.empty()).orElseThrow();
    }

    /** All that it has printed once it has printed this; the time limit ends a failure. */
    private String await(String text) throws IOException, InterruptedException {
        Path told = world.workspace.resolve("told");
        while (!Files.exists(told) || !Files.readString(told).contains(text)) {
            Thread.sleep(20);
        }
        return Files.readString(told);
    }
}
