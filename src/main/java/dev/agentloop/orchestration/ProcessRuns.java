package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.process.Dialogue;
import dev.agentloop.process.ProcessRunner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs as processes of this program, each in a session of its own. They end with this program,
 * however it ends.
 */
public final class ProcessRuns implements Runs, AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(8); // told to end, it needs up to 6
    private static final Duration LOOK = Duration.ofMillis(200); // whether it has to be told, or is
    private static final int INTERRUPTED = 130; // its exit code
    private static final int MOST_OUTPUT = 4_000; // characters of a check that somebody reads
    private static final String OUTER_WORDS = "AGENT_ARGV_HEX"; // of this process, not of a run

    /** Options that say what commands may do; they hold for checks as for runs. */
    private static final Set<String> POLICY =
            Set.of(
                    "--config",
                    "--confirm",
                    "--yolo",
                    "--allow",
                    "--deny",
                    "--sandbox",
                    "--allow-destructive",
                    "--allow-net",
                    "--no-mcp",
                    "--trust");

    private final ProcessRunner processes;
    private final List<String> program;
    private final Map<String, String> environment;

    /**
     * @param processes for these runs alone: they are killed with it
     * @param program words that start this program, up to its command
     */
    public ProcessRuns(
            ProcessRunner processes, List<String> program, Map<String, String> environment) {
        this.processes = processes;
        this.program = List.copyOf(program);
        Map<String, String> given = new HashMap<>(environment);
        given.remove(OUTER_WORDS);
        this.environment = Map.copyOf(given);
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
        options.stream().filter(ProcessRuns::isForChecks).forEach(words::add);
        words.add("--workspace=" + workspace);
        words.add("--allow=run_command");
        try {
            Printed printed = start(words, "", cancellation);
            return outcome(command, printed);
        } catch (IOException e) {
            return new CheckOutcome(command, -1, "the check cannot be started: " + e.getMessage());
        }
    }

    /** Not which agent, model or limits: an agent without commands would have none for checks. */
    private static boolean isForChecks(String option) {
        int end = option.indexOf('=');
        return POLICY.contains(end < 0 ? option : option.substring(0, end));
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

    /** The task comes on its standard input: others can see the words of a process. */
    private Printed start(List<String> words, String prompt, Cancellation cancellation)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(words);
        if (!prompt.isEmpty()) {
            command.add("--stdin");
        }
        Dialogue run = processes.talk(command, Path.of("/"), environment);
        FutureTask<String> out = aside("output of a run", () -> text(run.out()));
        FutureTask<String> err = aside("errors of a run", () -> text(run.err()));
        var _ = aside("task of a run", () -> tell(run.in(), prompt));
        int code;
        try (var _ = cancellation.onCancel(run::terminate)) {
            code = await(run, cancellation);
        } finally {
            run.stop(Duration.ZERO); // whatever it has left behind
        }
        try {
            return new Printed(code, out.get(), err.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static int await(Dialogue run, Cancellation cancellation) {
        long told = 0;
        while (!run.awaitEnd(LOOK)) {
            if (Thread.currentThread().isInterrupted()) {
                return INTERRUPTED;
            }
            if (cancellation.isCancelled()) {
                long now = System.nanoTime();
                told = told == 0 ? now : told;
                if (now - told > GRACE.toNanos()) {
                    run.stop(Duration.ZERO);
                }
            }
        }
        return run.exitCode();
    }

    private static <T> FutureTask<T> aside(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static String text(InputStream in) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (in) {
            in.transferTo(bytes);
        } catch (IOException e) {
            return ""; // it was killed: half a result is none
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean tell(OutputStream in, String prompt) {
        try (in) {
            in.write(Json.wellFormed(prompt).getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException e) {
            return false; // it has ended before it read it, and says why elsewhere
        }
    }

    /** Kills what still runs, with all that it has started. */
    public void killAll() {
        processes.killAll();
    }

    @Override
    public void close() {
        killAll();
    }
}
