package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandOutcome.Ending;
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

/** A command sees those that run in the background, and nothing else of the machine. */
@Timeout(120)
class SharedProcessesTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @TempDir(factory = OutsideTmp.class)
    Path root;

    private SandboxWorld world;

    private void open(Tier tier) throws IOException {
        assumeTrue(tier == Tier.LANDLOCK || Files.isExecutable(BWRAP), "no bubblewrap here");
        assumeTrue(tier == Tier.BWRAP || LandlockSandbox.trouble().isEmpty(), "no Landlock here");
        world =
                new SandboxWorld(
                        root,
                        "ws",
                        all ->
                                tier == Tier.BWRAP
                                        ? new BwrapSandbox(BWRAP, all)
                                        : new LandlockSandbox(all));
    }

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"BWRAP", "LANDLOCK"})
    @DisplayName("a command finds a process of one in the background by its name, and ends it")
    void endsOneInTheBackground(Tier tier) throws IOException {
        open(tier);
        String id = background("sleep 4711; echo ended with $?; exec sleep 60");

        String found = world.run("pgrep -x -f 'sleep 4711'").stdout().text();
        assertTrue(found.strip().matches("\\d+"), found);
        assertEquals("", world.all("kill " + found.strip()));
        assertTrue(await(id, "ended with").stdout().text().contains("143"));

        assertEquals("", world.all("pkill -x -f 'sleep 60'"));
        assertTrue(await(id, "never").end().isPresent());
    }

    @Test
    @DisplayName("its list of processes is short, and holds none of this machine's")
    void listsProcesses() throws IOException {
        open(Tier.BWRAP);
        background("exec sleep 4711");

        String list = world.run("ps -eo args").stdout().text();
        assertTrue(list.contains("sleep 4711"), list);
        assertFalse(list.contains("java"), list);
        assertTrue(list.length() < 2_000, list);
    }

    @Test
    @DisplayName("two in the background see each other, and one that is stopped leaves the other")
    void twoInTheBackground() throws IOException {
        open(Tier.BWRAP);
        String first = background("setsid sleep 4712 & exec sleep 4711");
        String second = background("sleep 0.5; pgrep -x -f 'sleep 4711'; echo found $?; sleep 60");
        String told = await(second, "found").stdout().text();
        assertTrue(told.contains("found 0"), told);

        world.runner.background().stop(first);
        assertEquals(0, sleepers("4711") + sleepers("4712"));
        assertTrue(world.runner.background().look(second).orElseThrow().end().isEmpty());
    }

    @Test
    @DisplayName("what a command leaves beside one in the background ends with it and is named")
    void leavesAProcess() throws IOException {
        open(Tier.BWRAP);
        background("exec sleep 4711");

        CommandOutcome outcome = world.run("setsid sleep 4712 & sleep 0.2; echo done");
        assertEquals("done\n", outcome.stdout().text());
        assertTrue(outcome.killed().toString().contains("sleep 4712"), outcome::toString);
        assertEquals("", world.run("pgrep -f 'sleep 471[2]'").stdout().text());
    }

    @Test
    @DisplayName("what hides from its command ends with the last one in the background")
    void hidesAProcess() throws IOException {
        open(Tier.BWRAP);
        String id = background("exec sleep 4711");
        world.run("env -i setsid sh -c 'cd /; exec sleep 4713 <&- >&- 2>&-' & sleep 0.2");
        assertEquals(1, sleepers("4713"), "it has hidden");

        world.runner.background().stop(id);
        assertEquals(0, sleepers("4713"));
    }

    @Test
    @DisplayName("a hidden process that changes a control file is found out, however late it is")
    void changesAControlFile() throws Exception {
        open(Tier.BWRAP);
        Path settings = world.workspace.resolve(".vscode/settings.json");
        String id = background("exec sleep 4711");
        world.run(
                "env -i setsid sh -c 'sleep 1; mkdir .vscode; echo evil > .vscode/settings.json;"
                        + " exec sleep 4713' <&- >&- 2>&- & sleep 0.2");
        while (sleepers("4713") == 0) {
            Thread.onSpinWait(); // the time limit ends a failure
        }

        CommandOutcome end = world.runner.background().stop(id).orElseThrow().end().orElseThrow();
        assertFalse(Files.exists(settings), "as a program would read it");
        assertTrue(end.notes().toString().contains(".vscode"), end::toString);
    }

    @Test
    @DisplayName("a command that ends all it can ends no other run, and the next one runs")
    void killsAll() throws IOException {
        open(Tier.BWRAP);
        String id = background("exec sleep 4711");

        CommandOutcome killed = world.run("kill -9 -1; echo here");
        assertTrue(await(id, "never").end().isPresent(), killed::toString);
        assertEquals("fine\n", world.all("echo fine"));
        String again = background("exec sleep 4711");
        assertEquals("", world.all("pkill -x -f 'sleep 4711'"));
        assertTrue(await(again, "never").end().isPresent());
    }

    @Test
    @DisplayName("a time limit ends a command beside one in the background, which goes on")
    void timesOut() throws IOException {
        open(Tier.BWRAP);
        String id = background("exec sleep 4711");
        CommandRequest request =
                CommandRequest.shell(
                                "trap 'echo cleaned; exit' TERM; setsid sleep 4714 & sleep 60 & wait",
                                world.workspace,
                                Duration.ofSeconds(1))
                        .sharingProcesses();

        CommandOutcome outcome = world.run(request);
        assertEquals(Ending.TIMED_OUT, outcome.ending());
        assertEquals("cleaned\n", outcome.stdout().text());
        assertEquals(0, sleepers("4714"));
        assertTrue(world.runner.background().look(id).orElseThrow().end().isEmpty());
    }

    @Test
    @DisplayName("who is granted the network is out of sight: its memory would lead there")
    void networkIsApart() throws IOException {
        open(Tier.BWRAP);
        CommandRequest online =
                world.request("exec sleep 4715").with(CommandRequest.Reach.ONLINE).listening();
        world.runner.background().start(online, Optional.empty());
        background("exec sleep 4711");

        assertEquals("1\n", world.run("pgrep -f 'sleep 471[15]' | wc -l").stdout().text());
    }

    @Test
    @DisplayName("a process in the background that looks into new ones sees no hidden file")
    void looksIntoNewOnes() throws IOException {
        open(Tier.BWRAP);
        Files.writeString(
                world.workspace.resolve("look.py"),
                """
                import os
                tried, seen = set(), set()
                while not os.path.exists('stop'):
                    for pid in filter(str.isdigit, os.listdir('/proc')):
                        tried.add(pid)
                        for place in ('root%s', 'cwd%s'):
                            try:
                                seen.add(open(f'/proc/{pid}/' + place % '/HOME/.netrc').read())
                            except OSError:
                                pass
                        try:
                            seen.update(n for n in os.listdir(f'/proc/{pid}/root/HOME/') if 'ss' in n)
                        except OSError:
                            pass
                print('seen', len(tried), seen, flush=True)
                """
                        .replace("/HOME", world.home.toString()));
        String id = background("exec sleep 4711");
        CommandRequest look =
                CommandRequest.shell("python3 look.py", world.workspace, Duration.ofMinutes(1))
                        .sharingProcesses();
        Thread looker = Thread.ofVirtual().start(() -> report = outcome(look));
        for (int i = 0; i < 40; i++) {
            world.run("true");
        }
        Files.createFile(world.workspace.resolve("stop"));
        join(looker);

        String told = report.stdout().text();
        assertTrue(told.matches("seen \\d{2,} set\\(\\)\\n"), () -> report.toString());
        assertTrue(world.runner.background().look(id).orElseThrow().end().isEmpty());
    }

    @Test
    @DisplayName("nobody looks into the first process, writes to it or holds it up")
    void theFirstProcess() throws IOException {
        open(Tier.BWRAP);
        background("exec sleep 4711");

        String said =
                world.all(
                        """
                        for file in mem fd/0 root/bin environ cwd/bin; do
                          (exec 3<"/proc/1/$file") && echo opened $file
                          (exec 3>"/proc/1/$file") && echo changed $file
                        done
                        ls /proc/1/fd /proc/1/root && echo listed
                        kill -STOP 1; kill -9 1
                        grep Seccomp: /proc/1/status
                        """);
        assertFalse(said.matches("(?s).*(opened|changed|listed).*"), said);
        assertTrue(said.contains("Seccomp:\t2"), said);
        assertEquals("fine\n", world.all("echo fine; pgrep -x -f 'sleep 47[1]2'"));
    }

    @Test
    @DisplayName("a process that its parent has left is gone when it has ended")
    void nobodyWaitsForIt() throws IOException {
        open(Tier.BWRAP);
        background("(sleep 4716 & echo $! >pid); exec sleep 4711");

        assertEquals(
                "gone\n",
                world.all(
                        "kill $(cat pid); for i in 1 2 3 4 5 6 7 8 9; do"
                                + " kill -0 $(cat pid) 2>/dev/null || { echo gone; exit; }; sleep 0.1; done;"
                                + " ps -ef"));
        assertEquals(
                "0\n", world.all("for i in 1 2 3; do (true &); done; ps -e | grep -c defunct"));
    }

    @Test
    @DisplayName("what has hidden ends with the run, also if it holds what the run waits for")
    void endsWithTheRun() throws IOException {
        open(Tier.BWRAP);
        background("exec sleep 4711");
        world.run(
                "env -i setsid sh -c 'cd /; exec 3>/proc/1/fd/0; exec sleep 4717' <&- >&- 2>&- &"
                        + " env -i setsid sh -c 'cd /; exec sleep 4718' <&- >&- 2>&- & sleep 0.3");
        assertEquals(1, sleepers("4718"), "it has hidden");

        world.runner.killAll();
        assertEquals(0, sleepers("4717") + sleepers("4718") + sleepers("4711"));
    }

    @Test
    @DisplayName("with a bubblewrap that cannot share them each command is alone")
    void anOldBubblewrap() throws IOException {
        assumeTrue(Files.isExecutable(BWRAP), "no bubblewrap here");
        Path old = root.resolve("old-bwrap");
        Files.writeString(
                old,
                "#!/bin/sh\nfor word; do [ \"$word\" != --pidns ] || {"
                        + " echo 'bwrap: Unknown option --pidns' >&2; exit 1; }; done\nexec "
                        + BWRAP
                        + " \"$@\"\n");
        assertTrue(old.toFile().setExecutable(true));
        BwrapSandbox[] sandbox = new BwrapSandbox[1];
        world = new SandboxWorld(root, "ws", all -> sandbox[0] = new BwrapSandbox(old, all));
        background("exec sleep 4711");

        assertEquals(1, world.run("pgrep -x -f 'sleep 4711'").exitCode());
        assertFalse(sandbox[0].sharesProcesses());
    }

    @Test
    @DisplayName("under Landlock it ends one in the background whatever others do in /tmp")
    void othersMakeFiles() throws IOException {
        open(Tier.LANDLOCK);
        String id = background("exec sleep 4719");
        Path noise = Files.createTempFile("agent-test", "noise");
        try {
            assertEquals("", world.all("pkill -x -f 'sleep 4719'"));
        } finally {
            Files.delete(noise);
        }
        assertTrue(await(id, "never").end().isPresent());
    }

    private CommandOutcome report;

    private CommandOutcome outcome(CommandRequest request) {
        try {
            return world.run(request);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String background(String command) throws IOException {
        BackgroundCommands.Report report =
                world.runner
                        .background()
                        .start(world.request(command).listening(), Optional.empty())
                        .orElseThrow();
        assertTrue(report.end().isEmpty(), report::toString);
        return report.id();
    }

    private BackgroundCommands.Report await(String id, String word) {
        return world.runner
                .background()
                .await(id, text -> text.contains(word), Duration.ofSeconds(20), new Cancellation())
                .orElseThrow();
    }

    /** Of the whole machine. */
    private static long sleepers(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(one ->
                        one.info().commandLine().orElse("").matches("(\\S*/)?sleep " + seconds))
                .count();
    }
}
