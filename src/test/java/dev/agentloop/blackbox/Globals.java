package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What holds after every run, whatever happened in it. */
final class Globals {
    private static final long MAX_LOOKED_THROUGH = 1L << 30; // bytes
    private static final long MAX_KB = 400 << 10;
    private static final Duration LATE = Duration.ofSeconds(2);
    private static final Set<Integer> CODES = Set.of(0, 1, 2, 3, 4, 5, 130, 141);
    private static final Pattern TRACE =
            Pattern.compile("(?m)^\\s+at [\\w.$/]+\\(|^Exception in thread|^Caused by: ");
    private static final Map<String, String> ENDS =
            Map.of("tool.started", "tool.finished", "llm.request", "llm.response");

    private final World world;
    private final Ended ended;
    private final boolean outputKept;
    private final BigDecimal served;
    private final List<String> violations = new ArrayList<>();

    private Globals(World world, Ended ended, boolean outputKept) {
        this.world = world;
        this.ended = ended;
        this.outputKept = outputKept;
        this.served = world.newlyServedUsd();
    }

    /**
     * Fails with everything that is wrong.
     *
     * @param outputKept whether somebody read all of standard output
     */
    static void check(World world, Ended ended, boolean outputKept) {
        Globals globals = new Globals(world, ended, outputKept);
        globals.streams();
        globals.json();
        globals.files();
        globals.memory();
        globals.time();
        globals.terminal();
        if (!globals.violations.isEmpty()) {
            throw new AssertionError(
                    "Not as always: " + String.join("\n  ", globals.violations) + "\n" + ended);
        }
    }

    private void streams() {
        boolean special = ended.words().stream().anyMatch(w -> w.startsWith("--exit-code-on"));
        require(special || CODES.contains(ended.exitCode()), "G1 exit code " + ended.exitCode());
        for (String text : List.of(ended.out(), ended.err())) {
            require(!TRACE.matcher(text).find() || ended.words().contains("-vv"), "G3 stack trace");
            require(!text.contains(world.key()), "G4 the key is shown");
            require(ended.terminal() != null || text.indexOf('\u001b') < 0, "G9 an ESC byte");
        }
    }

    private void json() {
        boolean mixed = ended.terminal() != null; // with what a person reads
        if (!ended.isRun() || !outputKept || mixed || ended.words().contains("--help")) {
            return;
        }
        if (ended.isStreamJson()) {
            eventLines();
        } else if (ended.isJson()) {
            require(ended.out().strip().lines().count() == 1, "G2 not one line on stdout");
            result(ended.result());
        }
        require(
                ended.err().lines().noneMatch(line -> line.startsWith("{\"schema_version\"")),
                "G2 JSON on stderr");
    }

    private void eventLines() {
        List<JsonNode> events = ended.events();
        require(!events.isEmpty(), "G2 no events");
        Map<String, Integer> open = new HashMap<>();
        int seq = 0;
        for (JsonNode event : events) {
            String type = event.path("type").asText();
            require(event.path("seq").asInt(-1) == seq++, "seq has a gap at " + event);
            require(
                    type.equals("result") == (seq == events.size()),
                    "result is not the last line, or not the only one");
            Schemas.violations("events", event).forEach(v -> violations.add(v + " in " + event));
            ENDS.forEach((begin, end) -> count(open, type, begin, end));
        }
        List<String> types = events.stream().map(e -> e.path("type").asText()).toList();
        int first = types.indexOf("session.started");
        require(
                first >= 0 || !types.contains("user.message"),
                "a run that began without session.started");
        require(
                first < 0 || !types.subList(0, first).contains("user.message"),
                "session.started is not the first event");
        open.forEach((begin, count) -> require(count == 0, "no end for " + begin));
        result(events.getLast());
    }

    private void count(Map<String, Integer> open, String type, String begin, String end) {
        if (type.equals(begin)) {
            open.merge(begin, 1, Integer::sum);
        } else if (type.equals(end)) {
            require(open.merge(begin, -1, Integer::sum) >= 0, end + " without a beginning");
        }
    }

    private void result(JsonNode result) {
        cost(result);
        require(result.path("type").asText().equals("result"), "G2 not a result: " + result);
        require(
                result.path("exit_code").asInt(-1) == ended.exitCode(),
                "the result says exit code " + result.path("exit_code"));
        if (!ended.isStreamJson()) {
            Schemas.violations("result", result).forEach(v -> violations.add("schema: " + v));
        }
    }

    private void memory() {
        require(ended.peakKb() <= MAX_KB, "G11 used " + ended.peakKb() + " kB of memory");
    }

    private void time() {
        ended.bound()
                .filter(bound -> ended.took().compareTo(bound.plus(LATE)) > 0)
                .ifPresent(bound ->
                        require(
                                ended.took().compareTo(bound.plus(Pace.of(LATE))) <= 0,
                                "G10 took " + ended.took() + ", at most " + bound + " was said"));
    }

    private void terminal() {
        TerminalTrace trace = ended.terminal();
        if (trace != null) {
            violations.addAll(trace.violations(ended.out()));
        }
    }

    /**
     * G12: what the result says was spent is what the server's whole replies cost; never less when
     * it is estimated, and more with replies that broke off. A run that was cut may have left a
     * reply unread.
     */
    private void cost(JsonNode result) {
        JsonNode cost = result.path("cost");
        boolean cut = Set.of(5, 130, 141).contains(ended.exitCode());
        boolean known = cost.path("basis").asText().equals("config") && cost.has("usd");
        boolean otherPrices = ended.words().stream().anyMatch(word -> word.startsWith("--config"));
        if (cut || !known || otherPrices) {
            return;
        }
        BigDecimal said = BigDecimal.ZERO;
        for (JsonNode line : cost.path("breakdown")) {
            boolean before = line.path("source").asText().equals("earlier");
            said = before ? said : said.add(line.path("usd").decimalValue());
        }
        if (result.has("replay")) {
            require(served.signum() == 0, "G12 a replay has spent " + served);
            return; // what it says is what it cost when it was recorded
        }
        boolean estimated = result.path("usage").path("estimated").asBoolean();
        int difference = said.compareTo(served);
        require(
                difference == 0 || estimated && difference > 0,
                "G12 cost " + said + ", the server says " + served);
    }

    private void files() {
        try (Stream<Path> files = Files.walk(world.root())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                require(!name.startsWith(".agent-"), "G7 a temporary file is left: " + file);
                if (Files.size(file) > MAX_LOOKED_THROUGH) {
                    continue; // the hostile repository's hole of 3 GB
                }
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                require(!text.contains(world.key()), "G4 the key is in " + file);
                if (name.equals("journal.jsonl") && !world.isDamaged(file)) {
                    violations.addAll(JournalFile.violations(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void require(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }
}
