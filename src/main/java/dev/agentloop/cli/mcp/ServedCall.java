package dev.agentloop.cli.mcp;

import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.run.Run;
import dev.agentloop.mcp.serve.ServedTool;
import dev.agentloop.message.Image;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One of our tools for a client: each call is judged and made as a model's would be. */
final class ServedCall implements ServedTool {
    private static final long LOOK_MILLIS = 50; // how soon a call that waits sees its cancellation

    private final ToolSpec spec;
    private final Supplier<ToolRunner> runners;
    private final CallProgress progress;
    private final Order order;
    private final UnaryOperator<String> mask;

    /**
     * What all tools of a server share. A client may call several at once; those that change files
     * of the workspace go one after another, because two on one file could lose a change.
     */
    static final class Order {
        private final Semaphore files = new Semaphore(1, true);
        private final AtomicLong count = new AtomicLong();

        private String next() {
            return "mcp_" + count.incrementAndGet();
        }

        /** False if it was cancelled while it waited. */
        private boolean begin(Cancellation cancellation) throws InterruptedException {
            while (!cancellation.isCancelled()) {
                if (files.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * @param runners gives one for each call: what is counted in a run is counted in a call
     * @param mask takes secrets out of a text
     */
    ServedCall(
            ToolSpec spec,
            Supplier<ToolRunner> runners,
            CallProgress progress,
            Order order,
            UnaryOperator<String> mask) {
        this.spec = spec;
        this.runners = runners;
        this.progress = progress;
        this.order = order;
        this.mask = mask;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public Map<String, @Nullable Object> declaration() {
        Map<String, @Nullable Object> declaration = new LinkedHashMap<>();
        declaration.put("name", spec.name());
        declaration.put("description", spec.description());
        try {
            declaration.put("inputSchema", Json.parse(spec.parameters()).raw());
        } catch (JsonException e) {
            throw new IllegalStateException("the schema of " + spec.name() + " is no JSON", e);
        }
        declaration.put("annotations", annotations(spec.effect()));
        return declaration;
    }

    private static Map<String, @Nullable Object> annotations(Effect effect) {
        Map<String, @Nullable Object> hints = new LinkedHashMap<>();
        hints.put("readOnlyHint", effect == Effect.PURE);
        hints.put("destructiveHint", effect == Effect.FILE || effect == Effect.OPAQUE);
        hints.put("idempotentHint", effect == Effect.PURE || effect == Effect.IDEMPOTENT);
        hints.put("openWorldHint", effect == Effect.OPAQUE);
        return hints;
    }

    @Override
    public Map<String, @Nullable Object> call(
            JsonValue arguments, Cancellation cancellation, Consumer<String> told) {
        if (spec.effect() != Effect.FILE) {
            return answer(made(arguments, cancellation, told));
        }
        try {
            if (!order.begin(cancellation)) {
                return answer(ToolResult.cancelled("Not run: it was cancelled."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return answer(ToolResult.cancelled("Not run: it was cancelled."));
        }
        try {
            return answer(made(arguments, cancellation, told));
        } finally {
            order.files.release();
        }
    }

    private ToolResult made(JsonValue arguments, Cancellation cancellation, Consumer<String> told) {
        String id = order.next();
        progress.tell(id, line -> told.accept(mask.apply(line)));
        try {
            Run run = new Run(List.of(), new CostTracker(null, null, -1), cancellation);
            String text = Json.text(arguments::writeTo);
            return runners.get().runAlone(new ToolCall(id, spec.name(), text), run);
        } finally {
            progress.forget(id);
        }
    }

    private Map<String, @Nullable Object> answer(ToolResult result) {
        List<Map<String, @Nullable Object>> content = new ArrayList<>();
        content.add(text(mask.apply(result.text())));
        for (Image image : result.images()) {
            Map<String, @Nullable Object> picture = new LinkedHashMap<>();
            picture.put("type", "image");
            picture.put("data", image.base64());
            picture.put("mimeType", image.mediaType());
            content.add(picture);
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("content", content);
        answer.put("isError", result.isError());
        return answer;
    }

    static Map<String, @Nullable Object> text(String words) {
        Map<String, @Nullable Object> text = new LinkedHashMap<>();
        text.put("type", "text");
        text.put("text", words);
        return text;
    }
}
