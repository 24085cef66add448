package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.process.Dialogue;
import dev.agentloop.process.ProcessRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A run as a process of this program: it has its own session, its own limits, and ends with
 * everything it has started when it is cancelled or this program ends.
 */
final class RunChild {
    private static final String MAIN = "dev.agentloop.Main";
    private static final Duration GRACE =
            Duration.ofSeconds(7); // a run that is forced to end needs up to six
    private static final Duration LISTENING = Duration.ofMillis(800); // to its last words
    private static final Duration END = Duration.ofSeconds(5); // after its last word
    private static final int MOST_WORDS = 4_000; // bytes of stderr that are kept

    private final ProcessRunner processes;
    private final Invocation invocation;
    private final Path workspace;
    private final List<String> words;

    /**
     * @param words options of each run
     */
    RunChild(ProcessRunner processes, Invocation invocation, Path workspace, List<String> words) {
        this.processes = processes;
        this.invocation = invocation;
        this.workspace = workspace;
        this.words = List.copyOf(words);
    }

    /**
     * What is left of a run.
     *
     * @param result its last event; null if there was none
     * @param lastWords the end of what it said on stderr
     */
    record Outcome(int exitCode, JsonValue result, String lastWords) {}

    /**
     * Runs to the end.
     *
     * @param more options behind those of the server
     * @param events takes each event of the run
     * @throws IOException if it cannot be started
     */
    Outcome run(
            List<String> more, String task, Cancellation cancellation, Consumer<JsonValue> events)
            throws IOException {
        Dialogue run = processes.talk(argv(more), invocation.currentDirectory(), variables());
        LastLines said = new LastLines(run.err());
        try (var _ = cancellation.onCancel(() -> daemon("end of run", () -> run.end(GRACE)))) {
            daemon("task", () -> tell(run.in(), task));
            Thread listener = daemon("errors", said);
            JsonValue result = hear(run.out(), events);
            boolean ended = run.awaitEnd(END);
            listener.join(LISTENING);
            return new Outcome(ended ? run.exitCode() : -1, result, said.text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } finally {
            run.end(GRACE); // whatever it has left behind
        }
    }

    /** On standard input it is in no list of processes, and may be longer than an argument. */
    private static void tell(OutputStream in, String task) {
        try (in) {
            in.write(Json.wellFormed(task).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            return; // it has ended before it read it, and says why elsewhere
        }
    }

    private static JsonValue hear(InputStream out, Consumer<JsonValue> events) {
        JsonValue result = new JsonValue(null);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonValue event = Json.parse(line);
                if (event.at("type").text().equals("result")) {
                    result = event;
                } else {
                    events.accept(event);
                }
            }
        } catch (IOException | JsonException e) {
            return result; // it was killed in the middle of a word
        }
        return result;
    }

    private List<String> argv(List<String> more) throws IOException {
        List<String> argv = new ArrayList<>(program());
        argv.addAll(List.of("run", "--output-format=stream-json", "--quiet", "--stdin"));
        argv.addAll(words);
        argv.add(RunOption.CWD.longName() + "=" + workspace);
        argv.addAll(more);
        return argv;
    }

    /** The words that started this process, up to its main class. */
    private static List<String> program() throws IOException {
        String line = Files.readString(Path.of("/proc/self/cmdline"));
        List<String> all = Arrays.asList(line.split("\0", -1));
        int main = all.indexOf(MAIN);
        if (main < 0) {
            throw new IOException("cannot find out how this program was started.");
        }
        List<String> words = new ArrayList<>(all.subList(0, main + 1));
        words.removeIf(word -> word.startsWith("-XX:AOTCacheOutput")); // one writer is enough
        words.set(0, ProcessHandle.current().info().command().orElse(words.getFirst()));
        return words;
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(invocation.environment());
        variables.remove("AGENT_ARGV_HEX"); // our words, not its
        return variables;
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Reads a stream to its end and keeps the last of it. */
    private static final class LastLines implements Runnable {
        private final InputStream in;
        private final StringBuilder kept = new StringBuilder();

        LastLines(InputStream in) {
            this.in = in;
        }

        @Override
        public void run() {
            byte[] buffer = new byte[MOST_WORDS];
            try {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    keep(new String(buffer, 0, n, StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                return; // it has ended
            }
        }

        private synchronized void keep(String more) {
            kept.append(more);
            kept.delete(0, Math.max(0, kept.length() - MOST_WORDS));
        }

        private synchronized String text() {
            return kept.toString().strip();
        }
    }
}
