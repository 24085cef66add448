package dev.agentloop.durable.restate;

import dev.agentloop.durable.engine.DurableObjects.Operation;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.durable.engine.ObjectState;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.restate.sdk.HandlerRunner;
import dev.restate.sdk.ObjectContext;
import dev.restate.sdk.SharedObjectContext;
import dev.restate.sdk.common.StateKey;
import dev.restate.sdk.common.TerminalException;
import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.InvocationRetryPolicy;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.serde.Serde;
import dev.restate.serde.SerdeFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The virtual objects: one service a kind, each with {@code apply} and {@code read}. */
final class Handlers {
    /** Names of the services, as Restate's own tools show them. */
    static final Map<String, String> SERVICES =
            Map.of(
                    ObjectLogic.QUEUE, "AgentQueue",
                    ObjectLogic.TASK, "AgentTask",
                    ObjectLogic.BUDGET, "AgentBudget");

    private static final Serde<String> TEXT =
            Serde.using(
                    "application/json",
                    text -> text.getBytes(StandardCharsets.UTF_8),
                    bytes -> new String(bytes, StandardCharsets.UTF_8));
    private static final Serde<Long> TIME =
            Serde.using(
                    time -> Long.toString(time).getBytes(StandardCharsets.UTF_8),
                    bytes -> Long.parseLong(new String(bytes, StandardCharsets.UTF_8)));

    // Who looks for the cause of trouble looks soon; each operation would else be kept for a day.
    private static final Duration KEPT = Duration.ofMinutes(10);

    // Until a worker is there again, and soon when it is: with Restate's growing intervals a task
    // would wait for a minute behind what a dead worker has begun.
    private static final InvocationRetryPolicy RETRIES =
            InvocationRetryPolicy.builder()
                    .initialInterval(Duration.ofMillis(100))
                    .exponentiationFactor(2.0)
                    .maxInterval(Duration.ofSeconds(1))
                    .build();

    private Handlers() {}

    static Endpoint endpoint() {
        Endpoint.Builder endpoint = Endpoint.builder();
        SERVICES.forEach((kind, service) -> endpoint.bind(service(kind, service)));
        return endpoint.build();
    }

    private static ServiceDefinition service(String kind, String name) {
        HandlerRunner<String, String> apply =
                HandlerRunner.of(
                        (ObjectContext context, String input) -> apply(kind, context, input),
                        SerdeFactory.NOOP,
                        HandlerRunner.Options.DEFAULT);
        HandlerRunner<String, String> read =
                HandlerRunner.of(
                        (SharedObjectContext context, String input) ->
                                ObjectLogic.apply(
                                        operation(kind, context, input),
                                        new Unwritten(context),
                                        System.currentTimeMillis()),
                        SerdeFactory.NOOP,
                        HandlerRunner.Options.DEFAULT);
        return ServiceDefinition.of(
                        name,
                        ServiceType.VIRTUAL_OBJECT,
                        List.of(
                                HandlerDefinition.of(
                                        "apply", HandlerType.EXCLUSIVE, TEXT, TEXT, apply),
                                HandlerDefinition.of(
                                        "read", HandlerType.SHARED, TEXT, TEXT, read)))
                .configure(it ->
                        it.enableLazyState(true) // a task's journal is not needed for each piece
                                .invocationRetryPolicy(RETRIES)
                                .journalRetention(KEPT)
                                .idempotencyRetention(KEPT));
    }

    private static String apply(String kind, ObjectContext context, String input) {
        long now = context.run("now", TIME, System::currentTimeMillis);
        return ObjectLogic.apply(operation(kind, context, input), new Written(context), now);
    }

    private static Operation operation(String kind, SharedObjectContext context, String input) {
        try {
            JsonValue it = Json.parse(input);
            return new Operation(
                    kind, context.key(), it.at("name").textOr(""), it.at("input").textOr("{}"));
        } catch (JsonException e) {
            throw new TerminalException("not JSON: " + e.getMessage());
        }
    }

    private record Written(ObjectContext context) implements ObjectState {
        @Override
        public String get(String name) {
            return context.get(StateKey.of(name, TEXT)).orElse("");
        }

        @Override
        public void put(String name, String value) {
            context.set(StateKey.of(name, TEXT), value);
        }
    }

    private record Unwritten(SharedObjectContext context) implements ObjectState {
        @Override
        public String get(String name) {
            return context.get(StateKey.of(name, TEXT)).orElse("");
        }

        @Override
        public void put(String name, String value) {
            throw new TerminalException("this operation changes the object");
        }
    }
}
