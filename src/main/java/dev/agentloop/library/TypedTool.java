package dev.agentloop.library;

import dev.agentloop.control.Cancellation;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.call.SchemaWriter;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * A tool made of a record and a function. The record's components, in snake_case, are the
 * parameters; {@link dev.agentloop.tool.Doc} describes them; a component that is an {@code
 * Optional} or {@code @Nullable} may be left out. There are strings, numbers, booleans, enums,
 * other records, and lists of these. Arguments that do not fit never reach the function: the model
 * is told which one is wrong, by its path.
 *
 * <pre>{@code
 * record Place(@Doc("Name of the city") String city, @Doc("Unit") Optional<Unit> unit) {}
 *
 * Tool<?> weather = TypedTool.of("get_weather", "Tells the weather of a city.", Place.class,
 *         (place, context) -> forecast(place.city()));
 * }</pre>
 *
 * @param <A> record of the arguments
 */
public final class TypedTool<A extends Record> implements Tool<A> {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
    private static final long GRACE_MILLIS = 500; // for a function that is interrupted

    private final ToolSpec spec;
    private final Class<A> type;
    private final Body<A> body;

    /**
     * What the tool does.
     *
     * <p><b>Contract.</b> Called on a thread of its own, which is interrupted when the run is
     * cancelled; from several at once if the loop runs tools in parallel. {@link
     * dev.agentloop.tool.ModelRetry} tells the model what to change; whatever else is thrown, the
     * model reads that the call failed and why.
     */
    @FunctionalInterface
    public interface Body<A extends Record> {
        /** The result, for the model. */
        String call(A arguments, ToolContext context) throws Exception;
    }

    private TypedTool(ToolSpec spec, Class<A> type, Body<A> body) {
        this.spec = spec;
        this.type = type;
        this.body = body;
    }

    /**
     * A tool that may do anything: its calls never run beside others, and none is ever repeated.
     *
     * @param name snake_case, as the model calls it
     * @param description for the model: what it does and when it helps
     * @throws IllegalArgumentException for a name that providers refuse, or a record with a
     *     component of another type
     */
    public static <A extends Record> TypedTool<A> of(
            String name, String description, Class<A> arguments, Body<A> body) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no name of a tool: use a-z, 0-9 and _, at most 64");
        }
        String schema = SchemaWriter.schemaOf(arguments);
        ToolSpec spec = new ToolSpec(name, description, schema, Effect.OPAQUE);
        return new TypedTool<>(spec, arguments, body);
    }

    /** The same of a tool that changes nothing, so that its calls may run side by side. */
    public TypedTool<A> readingOnly() {
        ToolSpec reading =
                new ToolSpec(spec.name(), spec.description(), spec.parameters(), Effect.PURE);
        return new TypedTool<>(reading, type, body);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Class<A> argumentType() {
        return type;
    }

    /** Permission rules see the arguments as the record writes them. */
    @Override
    public String subject(A arguments) {
        return arguments.toString();
    }

    @Override
    public SubjectKind subjectKind() {
        return SubjectKind.CALL;
    }

    @Override
    public ToolResult run(A arguments, ToolContext context) throws IOException, ToolException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread worker = new Thread(() -> work(arguments, context, answer), spec.name());
        worker.setDaemon(true);
        worker.start();
        try (Cancellation.Registration _ = context.cancellation().onCancel(worker::interrupt)) {
            while (true) {
                try {
                    return ToolResult.ok(answer.get(GRACE_MILLIS, TimeUnit.MILLISECONDS));
                } catch (TimeoutException e) {
                    if (context.cancellation().isCancelled()) {
                        return interrupted();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return interrupted();
        } catch (ExecutionException e) {
            return failed(Objects.requireNonNullElse(e.getCause(), e), context);
        }
    }

    private ToolResult interrupted() {
        return ToolResult.cancelled("Interrupted: it may have done its work partly.");
    }

    private void work(A arguments, ToolContext context, CompletableFuture<String> answer) {
        try {
            answer.complete(Objects.requireNonNullElse(body.call(arguments, context), ""));
        } catch (Throwable e) { // somebody else's code; all of it is told to the model
            answer.completeExceptionally(e);
        }
    }

    private ToolResult failed(Throwable thrown, ToolContext context)
            throws IOException, ToolException {
        if (context.cancellation().isCancelled()) {
            return interrupted();
        }
        switch (thrown) {
            case RuntimeException bug -> throw bug; // ModelRetry among them
            case Error bug -> throw bug;
            case IOException trouble -> throw trouble;
            case ToolException trouble -> throw trouble;
            default -> throw ToolException.error(spec.name() + " failed: " + thrown);
        }
    }
}
