package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a run: its words, its streams, its exit code.
 *
 * @param peakKb most memory the process was seen to use; 0 if nobody looked
 * @param terminal what is left of its terminal, whose text is all of {@code out}; null without one
 */
public record Ended(
        List<String> words,
        int exitCode,
        String out,
        String err,
        Duration took,
        long peakKb,
        @Nullable TerminalTrace terminal) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SECONDS = Pattern.compile("--timeout[= ](\\d+)s?( |$)");
    private static final int LONG_TIMEOUT = 30;
    private static final int SUMMARY_SECONDS = 2;

    /**
     * When the run must be over at the latest, as docs/exit-codes.md says: a timeout of 30 s or
     * more holds a reserve for the summary, a shorter one is followed by 2 s. Empty without one.
     */
    Optional<Duration> bound() {
        return SECONDS.matcher(String.join(" ", words))
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .map(seconds -> seconds < LONG_TIMEOUT ? seconds + SUMMARY_SECONDS : seconds)
                .map(Duration::ofSeconds)
                .findFirst();
    }

    boolean isRun() {
        return !words.isEmpty()
                && (words.getFirst().equals("run") || words.getFirst().equals("resume"));
    }

    boolean isJson() {
        return words.stream().anyMatch(word -> word.matches("--json|(.*=)?json"));
    }

    boolean isStreamJson() {
        return words.stream().anyMatch(word -> word.endsWith("stream-json"));
    }

    /** The result object, of either JSON format. */
    public JsonNode result() {
        return isStreamJson() ? events().getLast() : parse(out);
    }

    /** A text of the result object. */
    public String result(String field) {
        return result().path(field).asText();
    }

    /** The first error's message in the result object. */
    public String errorMessage() {
        return result().path("errors").path(0).path("message").asText();
    }

    public List<JsonNode> events() {
        List<JsonNode> events = new ArrayList<>();
        out.lines().forEach(line -> events.add(parse(line)));
        return events;
    }

    public List<JsonNode> events(String type) {
        return events().stream().filter(e -> e.path("type").asText().equals(type)).toList();
    }

    static JsonNode parse(String json) {
        try (var parser = JSON.createParser(json)) {
            JsonNode node = JSON.readTree(parser);
            if (node == null || parser.nextToken() != null) {
                throw new AssertionError("not exactly one JSON document: <" + json + ">");
            }
            return node;
        } catch (IOException e) {
            throw new AssertionError("not JSON: <" + json + ">", e);
        }
    }

    @Override
    public String toString() {
        return "agent "
                + String.join(" ", words)
                + "\n-- exit code "
                + exitCode
                + " after "
                + took.toMillis()
                + " ms\n-- stdout\n"
                + out
                + "\n-- stderr\n"
                + err;
    }
}
