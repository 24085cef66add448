package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.storage.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Runs as processes of this program, each in a session of its own. */
public final class ProcessRuns implements Runs, AutoCloseable {
    private static final long GRACE_SECONDS = 8; // a run that is told to end needs up to 6
    private static final long LOOK_MILLIS = 200; // whether a run that was told to end has not
    private static final int MOST_OUTPUT = 4_000; // characters of a check that somebody reads
    private static final String OUTER_WORDS = "AGENT_ARGV_HEX"; // of this process, not of a run

    private final List<String> program;
    private final Map<String, String> environment;
    private final Path folder;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    /**
     * @param program words that start this program, up to its command
     * @param folder private, for what runs print; made when needed
     */
    public ProcessRuns(List<String> program, Map<String, String> environment, Path folder) {
        this.program = List.copyOf(program);
        this.environment = Map.copyOf(environment);
        this.folder = folder;
    }

    @Override
    public RunOutcome run(RunOrder order, Cancellation cancellation) {
        List<String> words = new ArrayList<>(List.of("run", "--json", "--quiet"));
        words.addAll(order.options());
        words.add("--workspace=" + order.workspace());
        if (order.usd() != null) {
            words.add("--budget=" + order.usd().toPlainString());
        }
        if (order.timeout() != null) {
            words.add("--timeout=" + Math.max(1, order.timeout().toSeconds()) + "s");
        }
        long begun = System.nanoTime();
        try {
            Printed printed = start(words, order.prompt(), cancellation);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            return RunOutcome.of(printed.exitCode(), printed.out(), printed.err(), took);
        } catch (IOException e) {
            return RunOutcome.notStarted("the run cannot be started: " + e.getMessage());
        }
    }

    @Override
    public CheckOutcome check(
            String command,
            List<String> options,
            Path workspace,
            Duration timeout,
            Cancellation cancellation) {
        List<String> words = new ArrayList<>(List.of("tools", "run", "run_command"));
        words.add(arguments(command, timeout));
        words.add("--json");
        words.addAll(options);
        words.add("--workspace=" + workspace);
        words.add("--allow=run_command");
        try {
            Printed printed = start(words, "", cancellation);
            return outcome(command, printed);
        } catch (IOException e) {
            return new CheckOutcome(command, -1, "the check cannot be started: " + e.getMessage());
        }
    }

    private static String arguments(String command, Duration timeout) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("command", command);
            json.writeNumberField("timeout", timeout.toSeconds());
            json.writeEndObject();
        });
    }

    private static CheckOutcome outcome(String command, Printed printed) {
        try {
            JsonValue result = Json.parse(printed.out());
            String text = result.at("text").textOr(result.at("error").at("message").text());
            boolean ran = result.at("exit_code").isNumber();
            boolean ok = result.at("kind").text().equals("ok");
            int code = ran ? (int) result.at("exit_code").asLong() : ok ? 0 : -1;
            return new CheckOutcome(command, code, end(text));
        } catch (JsonException e) {
            return new CheckOutcome(command, -1, end(printed.err()));
        }
    }

    private static String end(String text) {
        String whole = text.strip();
        return whole.substring(Math.max(0, whole.length() - MOST_OUTPUT));
    }

    private record Printed(int exitCode, String out, String err) {}

    /** Through files: nobody has to read a pipe in time. */
    private Printed start(List<String> words, String prompt, Cancellation cancellation)
            throws IOException {
        PrivateFiles.ensureDirectory(folder);
        Path own = Files.createTempDirectory(folder, "run-");
        try {
            List<String> command = new ArrayList<>(program);
            command.addAll(words);
            if (!prompt.isEmpty()) { // in a file: others can see the words of a process
                Path task = Files.writeString(own.resolve("task"), prompt);
                command.add("--prompt-file=" + task);
            }
            int code = await(command, own, cancellation);
            return new Printed(code, text(own.resolve("out")), text(own.resolve("err")));
        } finally {
            for (String name : List.of("task", "out", "err")) {
                Files.deleteIfExists(own.resolve(name));
            }
            Files.deleteIfExists(own);
        }
    }

    private int await(List<String> command, Path own, Cancellation cancellation)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().remove(OUTER_WORDS);
        builder.redirectInput(new File("/dev/null"));
        builder.redirectOutput(own.resolve("out").toFile());
        builder.redirectError(own.resolve("err").toFile());
        Process process = builder.start();
        running.add(process);
        try (var _ = cancellation.onCancel(process::destroy)) {
            long last = Long.MAX_VALUE;
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                last = last == Long.MAX_VALUE && cancellation.isCancelled() ? now : last;
                if (last != Long.MAX_VALUE && now - last > GRACE_SECONDS * 1_000_000_000L) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            end(process);
            Thread.currentThread().interrupt();
        } finally {
            running.remove(process);
        }
        return process.isAlive() ? 130 : process.exitValue();
    }

    /** As a signal would; what does not end by itself is killed. */
    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return ""; // it has printed nothing
        }
    }

    /** Kills what still runs; what a run has started is watched over by a third, and ends too. */
    public void killAll() {
        running.forEach(Process::destroyForcibly);
    }

    @Override
    public void close() {
        killAll();
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            return; // others use it as well
        }
    }
}
