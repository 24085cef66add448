package dev.agentloop.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cli.Cli;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.loop.AgentLoop;
import dev.agentloop.testing.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far it is from the command line to the wire and back, as a real run's stack shows it. */
class MainPathTest {
    private static final int MOST_FRAMES = 14;
    private static final int MAIN = 1; // Main.main itself, which ends the process and so is not run
    private static final String BEGIN =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
                    + "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Do\"}}]}\n\n";
    private static final String END =
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ne.\"},"
                    + "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

    private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
    private final List<List<String>> stacks = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir Path folder;

    @Test
    void fromMainToTheHttpCallAreFourteenFramesAndFromTheReplysBytesToTheHistoryAsMany()
            throws Exception {
        try (RawServer server = RawServer.start((_, wire) -> answer(wire))) {
            Thread run = new Thread(() -> run(server.url()), "a run");
            runner.set(run);
            run.start();
            run.join();
        }

        assertEquals("Done.\n", out.toString(UTF_8), () -> err.toString(UTF_8));
        List<String> asking = below(Cli.class.getName() + ".run", stacks.get(0));
        Figures.note("6 frames from main to the HTTP call", "" + (asking.size() + MAIN));
        assertTrue(asking.size() + MAIN <= MOST_FRAMES, () -> String.join("\n", asking));
        List<String> reading = below(AgentLoop.class.getName() + ".step", stacks.get(1));
        Figures.note("7 frames from a reply's bytes to the history", "" + reading.size());
        assertTrue(reading.size() <= MOST_FRAMES, () -> String.join("\n", reading));
    }

    @Test
    void theCentralLoopFitsOnAScreenAndHasNoWordsOfItsOwn() throws IOException {
        List<String> lines =
                Files.readAllLines(Path.of("src/main/java/dev/agentloop/loop/AgentLoop.java"));

        Figures.note("8 lines of the central loop", "" + lines.size());
        assertTrue(lines.size() <= 200, () -> lines.size() + " lines");
        assertTrue(lengthOf("public RunResult run(", lines) <= 20);
        assertTrue(lengthOf("public Optional<RunResult> step(", lines) <= 20);
        assertFalse(lines.stream().anyMatch(line -> line.contains("\"")));
    }

    @Test
    void oneAssemblyMakesTheLoopsOfTheCommandLineTheLibraryAndAgentsThatWorkForOthers()
            throws IOException {
        assertEquals(List.of("AgentLoop.java"), makersOf("ModelCalls", "Closing"));
        assertEquals(List.of("Assembly.java"), makersOf("ToolRunner", "ToolPorts"));
        assertEquals( // and the library's class of the same name
                List.of("AgentLoopBuilder.java", "Assembly.java"),
                makersOf("AgentLoop").stream().sorted().toList());
    }

    /** Files of the program that make an object of one of these classes. */
    private static List<String> makersOf(String... classes) throws IOException {
        Pattern made = Pattern.compile("new (" + String.join("|", classes) + ")\\(");
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<String> makers = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (made.matcher(Files.readString(file)).find()) {
                    makers.add(file.getFileName().toString());
                }
            }
            return makers;
        }
    }

    private static int lengthOf(String method, List<String> lines) {
        int first = 0;
        while (!lines.get(first).contains(method)) {
            first++;
        }
        int last = first;
        while (!lines.get(last).equals("    }")) {
            last++;
        }
        return last - first + 1;
    }

    /** Looks at the run while it waits for the headers, and again while it waits for the rest. */
    private boolean answer(OutputStream wire) throws IOException {
        stacks.add(stackThatHas("Call.execute"));
        wire.write(BEGIN.getBytes(UTF_8));
        wire.flush();
        stacks.add(stackThatHas("SseReader.next"));
        wire.write(END.getBytes(UTF_8));
        wire.flush();
        return false;
    }

    private List<String> stackThatHas(String method) {
        Thread run = Objects.requireNonNull(runner.get());
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (true) {
            List<String> stack = Arrays.stream(run.getStackTrace()).map(Object::toString).toList();
            boolean waits = stack.getFirst().startsWith("java.base/sun.nio.ch.");
            if (waits && stack.stream().anyMatch(frame -> frame.contains(method))) {
                return stack;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("the run never got to " + method + ":\n" + stack);
            }
            Thread.onSpinWait();
        }
    }

    /** Frames from that one down to the HTTP library, which is not among them. */
    private static List<String> below(String method, List<String> stack) {
        int library = 0;
        int ours = 0;
        for (int i = 0; i < stack.size(); i++) {
            library =
                    stack.get(i).contains("okhttp3.") || stack.get(i).contains("okio.")
                            ? i
                            : library;
            ours = stack.get(i).contains(method + "(") ? i : ours;
        }
        return stack.subList(library + 1, ours + 1);
    }

    private void run(String server) {
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString(), "KEY", "secret");
        Streams streams = new Streams(InputStream.nullInputStream(), out, err, true, false, false);
        String[] words = {
            "run", "-m", "openai/test", "--base-url", server, "--api-key-env", "KEY", "Do it."
        };
        Cli.run(words, new Invocation(streams, environment, folder, folder, false));
    }
}
