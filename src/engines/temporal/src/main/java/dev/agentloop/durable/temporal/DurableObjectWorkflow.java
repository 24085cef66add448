package dev.agentloop.durable.temporal;

import dev.agentloop.durable.engine.DurableObjects.Operation;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.durable.engine.ObjectState;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.util.LinkedHashMap;
import java.util.Map;

/** The texts of an object in the memory of a workflow, which the service makes durable. */
public final class DurableObjectWorkflow implements ObjectWorkflow {
    // A message of Temporal has 2 MB at most; what is larger stays in its history, up to 50 MB.
    private static final int MOST_CARRIED_CHARS = 1_500_000;

    // Short histories are quickly read again by a worker that has not got the object in memory.
    private static final int MOST_APPLIED = 200;

    private final String kind;
    private final String key;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private int applied;

    /** Before any update: those may come first. */
    @WorkflowInit
    public DurableObjectWorkflow(String kind, String key, String state) {
        this.kind = kind;
        this.key = key;
        try {
            JsonValue kept = Json.parse(state);
            for (String name : kept.keys()) {
                texts.put(name, kept.at(name).textOr(""));
            }
        } catch (JsonException e) {
            throw new IllegalStateException("the state that was carried over: " + e, e);
        }
    }

    @Override
    public void live(String kind, String key, String state) {
        Workflow.await(() ->
                (applied >= MOST_APPLIED || Workflow.getInfo().isContinueAsNewSuggested())
                        && Workflow.isEveryHandlerFinished()
                        && size() < MOST_CARRIED_CHARS);
        Workflow.continueAsNew(kind, key, carried());
    }

    private int size() {
        return texts.values().stream().mapToInt(String::length).sum();
    }

    private String carried() {
        return Json.text(json -> {
            json.writeStartObject();
            for (Map.Entry<String, String> text : texts.entrySet()) {
                json.writeStringField(text.getKey(), text.getValue());
            }
            json.writeEndObject();
        });
    }

    @Override
    public String apply(String name, String input) {
        applied++;
        return ObjectLogic.apply(
                new Operation(kind, key, name, input),
                new Texts(texts),
                Workflow.currentTimeMillis());
    }

    @Override
    public String read(String name, String input) {
        return ObjectLogic.apply(
                new Operation(kind, key, name, input),
                new Texts(new LinkedHashMap<>(texts)),
                System.currentTimeMillis());
    }

    private record Texts(Map<String, String> texts) implements ObjectState {
        @Override
        public String get(String name) {
            return texts.getOrDefault(name, "");
        }

        @Override
        public void put(String name, String value) {
            texts.put(name, value);
        }
    }
}
