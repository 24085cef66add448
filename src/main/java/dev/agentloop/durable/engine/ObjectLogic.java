package dev.agentloop.durable.engine;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;

/**
 * What the objects do, without any engine: deterministic, a function of state, input and time.
 * Every operation may be repeated with the same input and then has no further effect.
 */
public final class ObjectLogic {
    /** The one queue of tasks that wait for a worker. */
    public static final String QUEUE = "queue";

    /** A task and its journal; the key is the task's id. */
    public static final String TASK = "task";

    /** What a group of tasks may spend; the key is the group's name. */
    public static final String BUDGET = "budget";

    /** A worker that gives no sign for so long has lost its task. */
    public static final long LEASE_MILLIS = 10_000; // 3 beats and some seconds for a busy machine

    private ObjectLogic() {}

    /**
     * Does one operation.
     *
     * @param now milliseconds since 1970, the same when the engine does the operation again
     * @return JSON; {@code {"error": …, "code": …}} for what cannot be
     */
    public static String apply(DurableObjects.Operation operation, ObjectState state, long now) {
        try {
            JsonValue input = Json.parse(operation.input());
            return switch (operation.kind()) {
                case QUEUE -> new QueueObject(state, now).apply(operation.name(), input);
                case TASK -> new TaskObject(state, now).apply(operation.name(), input);
                case BUDGET -> new BudgetObject(state).apply(operation.name(), input);
                default -> error("there are no objects of kind " + operation.kind());
            };
        } catch (JsonException e) {
            return error("not JSON: " + e.getMessage());
        }
    }

    static String error(String message) {
        return error(DurableException.REFUSED, message);
    }

    /**
     * @param code of {@link DurableException.Refused}
     */
    static String error(String code, String message) {
        return "{\"error\":" + Json.quote(message) + ",\"code\":" + Json.quote(code) + "}";
    }

    /**
     * Reads what an object or a task has written itself.
     *
     * @throws IllegalStateException if it is damaged
     */
    public static JsonValue parsed(String state, String otherwise) {
        try {
            return Json.parse(state.isEmpty() ? otherwise : state);
        } catch (JsonException e) {
            throw new IllegalStateException("the object's own state cannot be read: " + e, e);
        }
    }
}
