package dev.agentloop.durable.engine;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are not done, in the order they came, and who works on them until when. A worker that
 * does not speak up in time loses its task to the next one that asks; the task's number of attempts
 * goes up with each, so that a worker that was only slow cannot store anything any more.
 */
final class QueueObject {
    private static final String STATE = "queue";

    private final ObjectState state;
    private final long now;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /**
     * One task.
     *
     * @param token of the claim that holds it; empty when it was given back
     * @param until when the claim is over or, given back, when it may be claimed again
     * @param deaths how often its worker or its run died
     */
    private record Entry(long attempt, String worker, String token, long until, long deaths) {
        boolean isFree(long now) {
            return until <= now;
        }

        boolean isHeld() {
            return !token.isEmpty();
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
                            it.at("until").asLong(),
                            it.at("deaths").asLong()));
        }
    }

    String apply(String operation, JsonValue input) {
        String id = input.at("id").textOr("");
        return switch (operation) {
            case "offer" -> {
                entries.putIfAbsent(id, new Entry(0, "", "", 0, 0));
                yield kept("{}");
            }
            case "claim" -> claim(input.at("worker").textOr(""), input.at("token").textOr(""));
            case "beat" -> beat(id, input);
            case "release" -> release(id, input);
            case "wake" -> wake(id);
            case "held" -> {
                Entry it = entries.get(id);
                yield "{\"held\":" + (it != null && it.isHeld() && !it.isFree(now)) + "}";
            }
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
                long deaths = entry.getValue().deaths() + (entry.getValue().isHeld() ? 1 : 0);
                long until = now + ObjectLogic.LEASE_MILLIS;
                Entry taken = new Entry(attempt, worker, token, until, deaths);
                entry.setValue(taken);
                return kept(claimed(entry.getKey(), taken));
            }
        }
        return "{}";
    }

    private static String claimed(String id, Entry entry) {
        return "{\"id\":"
                + Json.quote(id)
                + ",\"attempt\":"
                + entry.attempt()
                + ",\"deaths\":"
                + entry.deaths()
                + "}";
    }

    /** The entry if the asker's claim is the last one; else null. */
    private @Nullable Entry own(String id, JsonValue input) {
        Entry entry = entries.get(id);
        return entry != null && entry.attempt() == input.at("attempt").asLong() ? entry : null;
    }

    private String beat(String id, JsonValue input) {
        Entry it = own(id, input);
        if (it == null) {
            return "{\"stale\":true}";
        }
        if (it.isHeld()) { // else it comes late, after the task was given back
            long until = now + ObjectLogic.LEASE_MILLIS;
            entries.put(id, new Entry(it.attempt(), it.worker(), it.token(), until, it.deaths()));
        }
        return kept("{}");
    }

    private String release(String id, JsonValue input) {
        Entry it = own(id, input);
        if (it == null) {
            return "{\"stale\":true}";
        }
        if (it.isHeld()) { // else this was done before
            long until = now + input.at("millis").asLong();
            long deaths = it.deaths() + (input.at("died").isTrue() ? 1 : 0);
            entries.put(id, new Entry(it.attempt(), it.worker(), "", until, deaths));
        }
        return kept("{}");
    }

    /** Something has come that the task may wait for. */
    private String wake(String id) {
        Entry it = entries.get(id);
        if (it != null && !it.isHeld()) {
            long until = Math.min(it.until(), now);
            entries.put(id, new Entry(it.attempt(), it.worker(), "", until, it.deaths()));
        }
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
                        json.writeNumberField("deaths", entry.getValue().deaths());
                        json.writeEndObject();
                    }
                    json.writeEndObject();
                }));
        return answer;
    }
}
