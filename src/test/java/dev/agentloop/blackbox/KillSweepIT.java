package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A run of five steps that is killed, as by {@code kill -9}, at each write and each fsync of its
 * journal and at random moments, and then goes on.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES) // for hundreds of kills
@Tag("side-by-side")
class KillSweepIT {
    private static final int KILLED = 128 + 9;
    private static final int MOST_CALLS = 200; // a run of five steps makes a quarter of them
    private static final String[] WORDS = {"--yolo", "--sandbox=off", "--json"};
    private static final String WRITTEN = "first\nsecond\n";

    /** Does what comes next, judging by the results that it is shown. */
    private static void play(Exchange exchange) throws IOException {
        exchange.reply(
                switch (exchange.asked().toolResults().size()) {
                    case 0 -> calls("read_file", "file_path", "a.txt");
                    case 1 -> calls("write_file", "file_path", "b.txt", "content", WRITTEN);
                    case 2 -> calls("run_command", "command", "echo x >> counter");
                    case 3 ->
                            calls(
                                    "edit_file",
                                    "file_path",
                                    "a.txt",
                                    "old_string",
                                    "one",
                                    "new_string",
                                    "two");
                    default -> says("All done.");
                });
    }

    @Test
    @Tag("C20")
    @Tag("C21")
    @Tag("C22")
    @Tag("C23")
    @Tag("C24")
    @Tag("C25")
    @DisplayName("killed at each write and fsync of the journal; nothing is lost or done twice")
    void everyWrite() throws Exception {
        Together.tell(List.of(() -> everyWrite(false), () -> everyWrite(true)));
    }

    /**
     * In a world of its own.
     *
     * @param half whether the last write gets half of its bytes out
     */
    private static void everyWrite(boolean half) throws Exception {
        try (var model = ScriptedServer.chat(says("Hello.")).thenForEver(KillSweepIT::play);
                var world = World.with(model)) {
            world.run("--json", "hello");
            Path journal = world.journals().getFirst();
            Files.createDirectories(world.root().resolve("saved"));
            copy(journal.getParent(), world.root().resolve("saved"));
            String library = compiled(world.root());
            int n = 1;
            while (killedAt(world, model, journal, new Moment(library, n, half))) {
                n++;
                assertTrue(n < MOST_CALLS, "it never comes to its end");
            }
            int calls = n - 1;
            assertTrue(calls > 20, () -> "only " + calls + " writes and syncs of the journal");
        }
    }

    /** Which write or sync of the journal is the last one. */
    private record Moment(String library, int n, boolean half) {}

    private static String compiled(Path folder) throws Exception {
        Path source = folder.resolve("kill_at.c");
        Path library = folder.resolve("kill_at.so");
        try (var in = KillSweepIT.class.getResourceAsStream("/crash/kill_at.c")) {
            Files.write(source, in.readAllBytes());
        }
        Process gcc =
                new ProcessBuilder(
                                "gcc",
                                "-shared",
                                "-fPIC",
                                "-O1",
                                "-o",
                                library.toString(),
                                source.toString(),
                                "-ldl")
                        .inheritIO()
                        .start();
        assertEquals(0, gcc.waitFor());
        return library.toString();
    }

    /** False when the run has ended before its n-th call. */
    private static boolean killedAt(World world, ScriptedServer model, Path journal, Moment moment)
            throws IOException {
        begin(world, model, journal.getParent());
        Set<String> before = ids(journal);
        world.env("LD_PRELOAD", moment.library()).env("KILL_AT", Integer.toString(moment.n()));
        world.env("KILL_HALF", moment.half() ? "1" : null);
        Ended ended =
                world.launch()
                        .start("run", "--yolo", "--sandbox=off", "--json", "--continue", "the task")
                        .ending();
        world.env("LD_PRELOAD", null).env("KILL_AT", null).env("KILL_HALF", null);
        world.newlyServedUsd();
        if (ended.exitCode() == 0) {
            return false;
        }
        assertEquals(KILLED, ended.exitCode(), ended::toString);
        world.processes().checkNothingAlive(Duration.ofSeconds(5));
        resume(world, model, journal, before, moment.half());
        return true;
    }

    private static void begin(World world, ScriptedServer model, Path session) throws IOException {
        try (Stream<Path> old = Files.list(session)) {
            old.forEach(KillSweepIT::delete);
        }
        copy(world.root().resolve("saved"), session);
        for (String name : List.of("b.txt", "counter")) {
            Files.deleteIfExists(world.workspace().resolve(name));
        }
        world.file("a.txt", "one\n");
        model.expectAnotherBeginning();
    }

    private static void resume(
            World world, ScriptedServer model, Path journal, Set<String> before, boolean torn) {
        Set<String> acknowledged = ids(journal);
        boolean prompted = whole(journal).contains("\"text\":\"the task");
        model.expectAnotherBeginning();
        List<String> words = new ArrayList<>(List.of("resume", "--last"));
        words.addAll(List.of(WORDS));
        if (!prompted) {
            words.add("the task");
        }
        Ended ended = world.agent(words.toArray(String[]::new));
        assertEquals(0, ended.exitCode(), ended::toString);
        assertEquals("All done.", ended.result("result"), ended::toString);
        Set<String> after = ids(journal);
        assertTrue(after.containsAll(acknowledged), "an acknowledged record is lost");
        assertTrue(after.size() > before.size());
        check(world, model.lastRequest().toolResults(), torn);
    }

    /**
     * The files are as the results say, and each command ran once or its fate is told.
     *
     * @param torn whether the last record may be half, so that changes of files may be unknown, too
     */
    private static void check(World world, List<String> results, boolean torn) {
        assertEquals(4, results.size(), results::toString);
        assertTrue(torn || !isUnknown(results.get(1)), results::toString);
        assertTrue(torn || !isUnknown(results.get(3)), results::toString);
        if (world.exists("b.txt")) {
            assertEquals(WRITTEN, world.read("b.txt"), results::toString);
        }
        if (!isUnknown(results.get(1))) {
            assertEquals(isDone(results.get(1)), world.exists("b.txt"), results::toString);
        }
        String counter = world.exists("counter") ? world.read("counter") : "";
        String told = results.get(2);
        if (isUnknown(told)) {
            assertTrue(counter.isEmpty() || counter.equals("x\n"), counter + results);
        } else {
            assertEquals(told.contains("Not run") ? "" : "x\n", counter, results::toString);
        }
        String edited = world.read("a.txt");
        assertTrue(Set.of("one\n", "two\n").contains(edited), edited + results);
        if (!isUnknown(results.get(3))) {
            assertEquals(isDone(results.get(3)), edited.equals("two\n"), results::toString);
        }
    }

    /** As commands are after a kill, and every call of the last reply after a torn record. */
    private static boolean isUnknown(String result) {
        return result.contains("may have run");
    }

    private static boolean isDone(String result) {
        return !result.contains("Not applied") && !result.contains("Not run");
    }

    @Test
    @Tag("C20")
    @Tag("C21")
    @Tag("C22")
    @Tag("C23")
    @Tag("C24")
    @Tag("C25")
    @DisplayName("killed at random moments (AGENT_KILLS of them), then resumed")
    void randomMoments() throws Exception {
        int kills = Integer.parseInt(System.getenv().getOrDefault("AGENT_KILLS", "10"));
        Random random = new Random(Long.getLong("agent.seed", 7));
        try (var model = ScriptedServer.chat(says("Hello.")).thenForEver(KillSweepIT::play);
                var world = World.with(model)) {
            world.run("--json", "hello");
            Path journal = world.journals().getFirst();
            Files.createDirectories(world.root().resolve("saved"));
            copy(journal.getParent(), world.root().resolve("saved"));
            int killed = 0;
            for (int tries = 0; killed < kills && tries < kills * 5; tries++) {
                begin(world, model, journal.getParent());
                Set<String> before = ids(journal);
                AgentProcess process =
                        world.launch()
                                .start(
                                        "run",
                                        "--yolo",
                                        "--sandbox=off",
                                        "--json",
                                        "--continue",
                                        "the task");
                Await.holdsWithin(Duration.ofMillis(150 + random.nextInt(600)), () -> false);
                process.signal("KILL");
                Ended ended = process.ending();
                world.newlyServedUsd();
                if (ended.exitCode() == KILLED) {
                    killed++;
                    world.processes().checkNothingAlive(Duration.ofSeconds(5));
                    resume(world, model, journal, before, true);
                }
            }
            assertEquals(kills, killed, "too few of the runs were still running");
        }
    }

    /** Number and checksum of each whole record. */
    private static Set<String> ids(Path journal) {
        Set<String> ids = new HashSet<>();
        whole(journal).lines().forEach(line -> ids.add(line.substring(line.length() - 10)));
        return ids;
    }

    /** All but a torn last line. */
    private static String whole(Path journal) {
        try {
            String text = Files.readString(journal, StandardCharsets.ISO_8859_1);
            return text.substring(0, text.lastIndexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (Files.isRegularFile(file)) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
    }

    private static void delete(Path file) {
        try (Stream<Path> all = Files.walk(file)) {
            all.sorted((a, b) -> b.compareTo(a)).forEach(each -> each.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
