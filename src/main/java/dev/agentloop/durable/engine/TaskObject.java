package dev.agentloop.durable.engine;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** One task: what is to be done, the pieces of its journal in order, and at last its outcome. */
final class TaskObject {
    private static final String TASK = "task";
    private static final String HEAD = "head";
    private static final String OUTCOME = "outcome";
    private static final String PIECE = "piece-";
    private static final int KEY_BYTES = 16;
    private static final String WAIT = "wait-"; // of a call: when it ends, or how it was answered
    private static final String WAITS = "waits"; // what goes on now
    private static final String SIGNAL = "signal-"; // that nobody has taken: its text as JSON

    private final ObjectState state;
    private final long now;

    TaskObject(ObjectState state, long now) {
        this.state = state;
        this.now = now;
    }

    String apply(String operation, JsonValue input) {
        boolean known = !state.get(TASK).isEmpty();
        if (!known && !operation.equals("submit")) {
            return ObjectLogic.error(
                    DurableException.UNKNOWN_TASK,
                    "there is no such task. Give the id that agent submit printed, and the same"
                            + " --engine and --address.");
        }
        return switch (operation) {
            case "submit" -> submit(known, input.at("task").textOr(""));
            case "open" -> open(input);
            case "store" -> store(input);
            case "wait" -> await(input);
            case "signal" -> signal(input);
            case "status" -> status();
            case "piece" ->
                    "{\"piece\":" + Json.quote(state.get(PIECE + input.at("n").asLong())) + "}";
            case "outcome" -> "{\"outcome\":" + Json.quote(state.get(OUTCOME)) + "}";
            default -> ObjectLogic.error("a task cannot " + operation);
        };
    }

    private String submit(boolean known, String task) {
        if (known) {
            boolean same = state.get(TASK).equals(task);
            return "{\"known\":true,\"same\":" + same + "}";
        }
        put(new Head(0, "", 0, 0, now, 0, 0));
        state.put(TASK, task); // last: with it the task is there
        return "{\"known\":false,\"same\":true}";
    }

    private String open(JsonValue input) {
        Head head = head();
        long attempt = input.at("attempt").asLong();
        if (attempt < head.attempt) {
            return "{\"stale\":true}";
        }
        Head mine =
                new Head(
                        attempt,
                        input.at("worker").textOr(""),
                        head.pieces,
                        head.step,
                        head.submitted,
                        head.started == 0 ? now : head.started,
                        head.ended);
        put(mine);
        return status();
    }

    /** A piece that is there already was stored by the same worker, whose answer was lost. */
    private String store(JsonValue input) {
        Head head = head();
        long n = input.at("n").asLong();
        if (input.at("attempt").asLong() != head.attempt
                || n > head.pieces
                || !state.get(OUTCOME).isEmpty() && n == head.pieces) {
            return "{\"stale\":true}";
        }
        if (n < head.pieces) {
            return "{}";
        }
        String outcome = input.at("outcome").textOr("");
        state.put(PIECE + n, input.at("piece").textOr(""));
        if (!outcome.isEmpty()) {
            state.put(OUTCOME, outcome);
        }
        put(
                new Head(
                        head.attempt,
                        head.worker,
                        n + 1,
                        Math.max(head.step, input.at("step").asLong()),
                        head.submitted,
                        head.started,
                        outcome.isEmpty() ? 0 : now));
        return "{}";
    }

    /** The end of a wait is set when it is first asked for. */
    private String await(JsonValue input) {
        if (input.at("attempt").asLong() != head().attempt) {
            return "{\"stale\":true}";
        }
        String call = key(WAIT, input.at("call").textOr(""));
        String signal = input.at("signal").textOr("");
        if (state.get(call).isEmpty()) {
            state.put(call, "{\"end\":" + (now + input.at("millis").asLong()) + "}");
        }
        JsonValue wait = ObjectLogic.parsed(state.get(call), "{}");
        if (!wait.has("signal") && isThere(signal)) {
            String taken = "{\"signal\":" + state.get(key(SIGNAL, signal)) + "}";
            state.put(call, taken); // asked again, this call has the same answer
            state.put(key(SIGNAL, signal), ""); // and the next one waits for another signal
            wait = ObjectLogic.parsed(taken, "{}");
        }
        if (wait.has("signal")) {
            state.put(WAITS, "");
            String text = Json.quote(wait.at("signal").textOr(""));
            return "{\"now\":" + now + ",\"signal\":" + text + "}";
        }
        long end = wait.at("end").asLong();
        state.put(WAITS, "{\"signal\":" + Json.quote(signal) + ",\"end\":" + end + "}");
        String answer = "{\"now\":" + now + left() + "}";
        if (left().isEmpty()) {
            state.put(WAITS, "");
        }
        return answer;
    }

    private boolean isThere(String signal) {
        return !signal.isEmpty() && !state.get(key(SIGNAL, signal)).isEmpty();
    }

    /** Names of others, such as ids that a model's server makes up, are no names of ours. */
    private static String key(String prefix, String name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(name.getBytes(StandardCharsets.UTF_8));
            return prefix + HexFormat.of().formatHex(digest, 0, KEY_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private String signal(JsonValue input) {
        if (!state.get(OUTCOME).isEmpty()) {
            return ObjectLogic.error(DurableException.TASK_DONE, "the task is done");
        }
        String text = Json.quote(input.at("text").textOr(""));
        state.put(key(SIGNAL, input.at("name").textOr("")), text);
        return "{}";
    }

    /** What the task waits for now, and how long at most; nothing if it need not wait. */
    private String left() {
        JsonValue wait = ObjectLogic.parsed(state.get(WAITS), "{}");
        String signal = wait.at("signal").textOr("");
        long left = wait.at("end").asLong() - now;
        return left <= 0 || isThere(signal)
                ? ""
                : ",\"left\":" + left + ",\"waits_for\":" + Json.quote(signal);
    }

    private String status() {
        return "{\"task\":"
                + Json.quote(state.get(TASK))
                + ",\"head\":"
                + state.get(HEAD)
                + ",\"outcome\":"
                + Json.quote(state.get(OUTCOME))
                + left()
                + "}";
    }

    private record Head(
            long attempt,
            String worker,
            long pieces,
            long step,
            long submitted,
            long started,
            long ended) {}

    private Head head() {
        JsonValue it = ObjectLogic.parsed(state.get(HEAD), "{}");
        return new Head(
                it.at("attempt").asLong(),
                it.at("worker").textOr(""),
                it.at("pieces").asLong(),
                it.at("step").asLong(),
                it.at("submitted").asLong(),
                it.at("started").asLong(),
                it.at("ended").asLong());
    }

    private void put(Head head) {
        state.put(
                HEAD,
                Json.text(json -> {
                    json.writeStartObject();
                    json.writeNumberField("attempt", head.attempt);
                    json.writeStringField("worker", head.worker);
                    json.writeNumberField("pieces", head.pieces);
                    json.writeNumberField("step", head.step);
                    json.writeNumberField("submitted", head.submitted);
                    json.writeNumberField("started", head.started);
                    json.writeNumberField("ended", head.ended);
                    json.writeEndObject();
                }));
    }
}
