package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of turns in which the provider, the tools and the process itself fail at random. What
 * always holds is checked after each run; the server refuses histories that cannot be.
 */
class SoakIT {
    private static final int SESSIONS = 25;
    private static final int TURNS = 200; // in each of them
    private static final int INTERRUPTIONS = 1;
    private static final String[] WORDS = {
        "--json", "--yolo", "--sandbox=off", "--max-steps=1000", "--budget=100"
    };

    /** A failure is repeated by its seed in AGENT_SOAK_SEED. */
    static Stream<List<Integer>> seeds() {
        String wanted = System.getenv("AGENT_SOAK_SEED");
        if (wanted != null) {
            return Stream.of(List.of(Integer.parseInt(wanted)));
        }
        return IntStream.range(0, (SESSIONS + 1) / 2)
                .mapToObj(i ->
                        IntStream.range(2 * i, Math.min(2 * i + 2, SESSIONS)).boxed().toList());
    }

    @ParameterizedTest(name = "E18: 200 turns with random faults, seeds {0}")
    @MethodSource("seeds")
    void soak(List<Integer> seeds) throws InterruptedException {
        List<Together.Story> stories = new ArrayList<>();
        for (int seed : seeds) {
            stories.add(() -> soak(seed));
        }
        Together.tell(stories);
    }

    private static void soak(int seed) {
        Random random = new Random(seed);
        Protocol protocol = Protocol.values()[seed % Protocol.values().length];
        FaultyModel faulty = new FaultyModel(new Random(seed), TURNS);
        List<Integer> interruptions =
                IntStream.generate(() -> 1 + random.nextInt(TURNS - 1))
                        .distinct()
                        .limit(INTERRUPTIONS)
                        .sorted()
                        .boxed()
                        .toList();
        try (var model = ScriptedServer.start(protocol).allowingCompaction().thenForEver(faulty);
                var world = World.with(model).llm("max_retries: 6")) {
            world.config("context: {max_context_tokens: 20000}").file("a.txt", "one\ntwo\nthree\n");
            AgentProcess process = world.launch().startRun(with("the task"));
            for (int turn : interruptions) {
                faulty.awaitTurn(turn);
                if (random.nextBoolean()) {
                    process.killed();
                } else {
                    assertEquals(130, process.signal("INT").ended().exitCode());
                }
                faulty.goOn();
                process = world.launch().start(resuming());
            }
            Ended ended = process.ended();

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("All done.", ended.result("result"), ended::toString);
            assertTrue(model.requests().size() >= TURNS, "too few requests");
            assertOnce(faulty, world, interruptions.size());
            Ended shown = world.agent("sessions", "show", ended.result("session_id"));
            assertEquals(0, shown.exitCode(), shown::toString);
        }
    }

    /** Each command ran once, but for those that an interruption may have kept from it. */
    private static void assertOnce(FaultyModel model, World world, int interruptions) {
        List<String> done = world.read("counter").lines().toList();
        assertEquals(new HashSet<>(done).size(), done.size(), () -> "done twice: " + done);
        List<String> missing = new ArrayList<>(model.counted());
        missing.removeAll(done);
        assertTrue(missing.size() <= interruptions, () -> "never done: " + missing);
    }

    private static String[] with(String prompt) {
        List<String> words = new ArrayList<>(List.of(WORDS));
        words.add(prompt);
        return words.toArray(String[]::new);
    }

    private static String[] resuming() {
        List<String> words = new ArrayList<>(List.of("resume", "--last"));
        words.addAll(List.of(WORDS));
        return words.toArray(String[]::new);
    }
}
