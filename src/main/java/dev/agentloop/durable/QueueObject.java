package dev.agentloop.durable;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tasks that are not done, in the order they came, and who works on them until when. A worker that
 * does not speak up in time loses its task to the next one that asks; the task's number of attempts
 * goes up with each, so that a worker that was only slow cannot store anything any more.
 */
final class QueueObject {
    static final long LEASE_MILLIS = 10_000; // 3 beats and some seconds for a busy machine

    private static final String STATE = "queue";

    private final ObjectState state;
    private final long now;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private record Entry(long attempt, String worker, String token, long until) {
        boolean isFree(long now) {
            return until <= now;
        }
    }

    QueueObject(ObjectState state, long now) {
        this.state = state;
        this.now = now;
        JsonValue kept = ObjectLogic.parsed(state.get(STATE), "{}");
        for (String id : kept.keys()) {
            JsonValue it = kept.at(id);
            entries.put(
                    id,
                    new Entry(
                            it.at("attempt").asLong(),
                            it.at("worker").textOr(""),
                            it.at("token").textOr(""),
                            it.at("until").asLong()));
        }
    }

    String apply(String operation, JsonValue input) {
        String id = input.at("id").textOr("");
        return switch (operation) {
            case "offer" -> {
                entries.putIfAbsent(id, new Entry(0, "", "", 0));
                yield kept("{}");
            }
            case "claim" -> claim(input.at("worker").textOr(""), input.at("token").textOr(""));
            case "beat" -> held(id, input, LEASE_MILLIS);
            case "release" -> held(id, input, input.at("millis").asLong());
            case "done" -> {
                entries.remove(id);
                yield kept("{}");
            }
            case "free" ->
                    "{\"free\":"
                            + entries.values().stream().filter(e -> e.isFree(now)).count()
                            + ",\"all\":"
                            + entries.size()
                            + "}";
            default -> ObjectLogic.error("a queue cannot " + operation);
        };
    }

    private String claim(String worker, String token) {
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            if (entry.getValue().token().equals(token)) {
                return claimed(entry.getKey(), entry.getValue()); // asked twice
            }
        }
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            if (entry.getValue().isFree(now)) {
                long attempt = entry.getValue().attempt() + 1;
                Entry taken = new Entry(attempt, worker, token, now + LEASE_MILLIS);
                entry.setValue(taken);
                return kept(claimed(entry.getKey(), taken));
            }
        }
        return "{}";
    }

    private static String claimed(String id, Entry entry) {
        return "{\"id\":" + Json.quote(id) + ",\"attempt\":" + entry.attempt() + "}";
    }

    private String held(String id, JsonValue input, long millis) {
        Entry entry = entries.get(id);
        if (entry == null || entry.attempt() != input.at("attempt").asLong()) {
            return "{\"stale\":true}";
        }
        entries.put(id, new Entry(entry.attempt(), entry.worker(), entry.token(), now + millis));
        return kept("{}");
    }

    private String kept(String answer) {
        state.put(
                STATE,
                Json.text(json -> {
                    json.writeStartObject();
                    for (Map.Entry<String, Entry> entry : entries.entrySet()) {
                        json.writeObjectFieldStart(entry.getKey());
                        json.writeNumberField("attempt", entry.getValue().attempt());
                        json.writeStringField("worker", entry.getValue().worker());
                        json.writeStringField("token", entry.getValue().token());
                        json.writeNumberField("until", entry.getValue().until());
                        json.writeEndObject();
                    }
                    json.writeEndObject();
                }));
        return answer;
    }
}
