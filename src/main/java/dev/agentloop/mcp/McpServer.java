package dev.agentloop.mcp;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.RequestDeadline;
import dev.agentloop.mcp.channel.RpcConnection;
import dev.agentloop.mcp.channel.RpcError;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One configured server: started once, asked through its tools, closed with the run. One that ends
 * or misbehaves has failed for the rest of the run; nothing else depends on it.
 *
 * <p><b>Contract.</b> {@link #start} first; then safe from several threads.
 */
public final class McpServer implements AutoCloseable {
    private static final long LOOK_MILLIS = 50; // between two looks whether the run is ending

    private final ServerSpec spec;
    private final ServerSurroundings around;
    private final Map<String, ToolDeclaration> declared = new LinkedHashMap<>();
    private final Map<String, String> withdrawn = new ConcurrentHashMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private final ReentrantLock refreshing = new ReentrantLock();
    private @Nullable McpSession session;

    public McpServer(ServerSpec spec, ServerSurroundings around) {
        this.spec = spec;
        this.around = around;
    }

    /** What the names of all tools of a server begin with. */
    public static String prefix(String server) {
        return ToolNaming.prefix(server);
    }

    /** Agrees with the server and asks for its tools, both within {@code timeout}. */
    public void start(Duration timeout, Cancellation cancellation) throws McpException {
        RequestDeadline deadline = RequestDeadline.in(timeout);
        ServerRequests requests = new ServerRequests(around.workspace(), around.elicitor());
        McpSession opened =
                McpSession.open(
                        around.channel(spec), requests, around.version(), deadline, cancellation);
        session = opened;
        try {
            DeclaredTools offer = list(opened, deadline, cancellation).within(spec.name());
            declared.putAll(offer.tools());
            leftOut.addAll(offer.leftOut());
        } catch (McpException e) {
            opened.close();
            throw e;
        }
    }

    /** What it declares that is not offered, and why: for people, one line each. */
    public List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** The digest of each tool that is offered, by the server's name for it. */
    public Map<String, String> digests() {
        Map<String, String> digests = new TreeMap<>();
        declared.forEach((name, tool) -> digests.put(name, tool.digest()));
        return digests;
    }

    /** What is offered to the model. */
    public List<Tool<?>> tools() {
        Map<String, String> names = ToolNaming.of(spec.name(), List.copyOf(declared.keySet()));
        List<Tool<?>> tools = new ArrayList<>();
        names.forEach((name, ours) -> {
            ToolDeclaration tool = Objects.requireNonNull(declared.get(name));
            ToolSpec about = new ToolSpec(ours, tool.description(), tool.schema(), Effect.OPAQUE);
            tools.add(new McpTool(about, (arguments, context) -> call(tool, arguments, context)));
        });
        for (Tool<?> tool : new LibraryTools(this, spec.name()).of(session())) {
            String ours = tool.spec().name();
            String plain = ours.substring(prefix(spec.name()).length());
            if (ToolNaming.isWanted(spec.tools(), plain) && !names.containsValue(ours)) {
                tools.add(tool);
            }
        }
        return tools;
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
        }
    }

    McpSession session() {
        if (session == null) {
            throw new IllegalStateException("not started");
        }
        return session;
    }

    boolean seesImages() {
        return around.seesImages();
    }

    /** Something that asks the server. */
    interface Asking {
        ToolResult ask() throws McpException, RpcError;
    }

    /** What the model is told, whatever becomes of the question. */
    ToolResult answered(ToolContext context, Asking asking) {
        try {
            return asking.ask();
        } catch (RpcError e) {
            return ToolResult.error("The MCP server " + spec.name() + " says: " + e.text());
        } catch (McpException e) {
            return failed(e, context);
        }
    }

    private ToolResult call(ToolDeclaration tool, JsonValue arguments, ToolContext context) {
        return answered(
                context,
                () -> {
                    refresh(context.cancellation());
                    String why = refusal(tool);
                    return why.isEmpty()
                            ? ContentText.ofCall(
                                    ask(
                                            "tools/call",
                                            McpSession.named(tool.name(), arguments.raw()),
                                            context),
                                    around.seesImages())
                            : ToolResult.error(why);
                });
    }

    JsonValue ask(
            String method, Map<String, ? extends @Nullable Object> params, ToolContext context)
            throws McpException, RpcError {
        RpcConnection.Question question =
                new RpcConnection.Question(
                        method,
                        params,
                        RequestDeadline.in(spec.callTimeout()),
                        method.equals("tools/call"),
                        context.progress());
        return session().ask(question, context.cancellation());
    }

    List<JsonValue> list(String method, String key, ToolContext context) throws McpException {
        RequestDeadline deadline = RequestDeadline.in(spec.callTimeout());
        return session().list(method, key, deadline, context.cancellation());
    }

    private ToolResult failed(McpException e, ToolContext context) {
        if (context.cancellation().isCancelled()) {
            return ToolResult.cancelled("Not answered: the run is ending.");
        }
        boolean over = !session().endedBecause().isEmpty();
        return ToolResult.error(
                "The MCP server %s failed: %s. %s"
                        .formatted(
                                spec.name(),
                                e.problem(),
                                over
                                        ? "None of its tools works in this run any more; go on"
                                                + " without them."
                                        : "Try something smaller, or go on without it."));
    }

    /** After the server has said that its tools are others, no call goes by what was approved. */
    private void refresh(Cancellation cancellation) throws McpException {
        RequestDeadline deadline = RequestDeadline.in(spec.callTimeout());
        awaitRefresh(deadline, cancellation);
        try {
            if (session().takeToolsChanged()) {
                compare(listAnew(deadline, cancellation));
            }
        } finally {
            refreshing.unlock();
        }
    }

    /** Another call may be asking already; a run that ends does not wait for it. */
    private void awaitRefresh(RequestDeadline deadline, Cancellation cancellation)
            throws McpException {
        try {
            while (!refreshing.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (cancellation.isCancelled() || deadline.left() <= 0) {
                    throw new McpException("it did not say what its tools are now");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new McpException("interrupted");
        }
    }

    private Map<String, ToolDeclaration> listAnew(
            RequestDeadline deadline, Cancellation cancellation) throws McpException {
        try {
            return list(session(), deadline, cancellation).tools();
        } catch (McpException e) {
            session().toolsMayHaveChanged(); // who does not say what they are now is asked again
            throw e;
        }
    }

    private void compare(Map<String, ToolDeclaration> now) {
        declared.forEach((name, tool) -> {
            ToolDeclaration other = now.get(name);
            if (other == null) {
                withdrawn.put(name, "the server does not offer it any more");
            } else if (!other.digest().equals(tool.digest())) {
                withdrawn.put(name, "the server has changed what it is since it was approved");
            } else {
                withdrawn.remove(name);
            }
        });
    }

    private String refusal(ToolDeclaration tool) {
        String why = withdrawn.get(tool.name());
        return why == null
                ? ""
                : "Not called: %s (%s). A person decides about it before the next run; go on without it."
                        .formatted(why, tool.name());
    }

    private DeclaredTools list(McpSession from, RequestDeadline deadline, Cancellation cancellation)
            throws McpException {
        return from.offers("tools")
                ? DeclaredTools.of(
                        from.list("tools/list", "tools", deadline, cancellation), spec.tools())
                : new DeclaredTools(Map.of(), List.of());
    }
}
