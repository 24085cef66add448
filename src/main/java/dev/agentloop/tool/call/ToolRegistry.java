package dev.agentloop.tool.call;

import dev.agentloop.json.Json;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.IoProblem;
import dev.agentloop.tool.ModelRetry;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a run, by name. Preparing a call never runs it; running a prepared call always gives
 * a result, whatever the tool throws.
 */
public final class ToolRegistry {
    private final Map<String, Bound<?>> tools;
    private final List<ToolSpec> specs;
    private final Workspace workspace;

    /**
     * @param tools in the order in which the model sees them
     * @param workspace judges the paths of each call before it may run
     */
    public ToolRegistry(List<Tool<?>> tools, Workspace workspace) {
        this.tools = new LinkedHashMap<>();
        this.workspace = workspace;
        for (Tool<?> tool : tools) {
            if (this.tools.put(tool.spec().name(), new Bound<>(tool)) != null) {
                throw new IllegalArgumentException("two tools named " + tool.spec().name());
            }
        }
        this.specs = tools.stream().filter(Tool::isOffered).<ToolSpec>map(Tool::spec).toList();
    }

    /** What the model is told about each tool, always in the same order. */
    public List<ToolSpec> specs() {
        return specs;
    }

    /** Every tool that can be called, offered or not. */
    public List<ToolSpec> known() {
        return tools.values().stream().<ToolSpec>map(bound -> bound.tool.spec()).toList();
    }

    /** A registry of the tools named; an empty collection means all. Unknown names are ignored. */
    public ToolRegistry only(Collection<String> names) {
        if (names.isEmpty()) {
            return this;
        }
        List<Tool<?>> kept = new ArrayList<>();
        for (Bound<?> bound : tools.values()) {
            if (names.contains(bound.tool.spec().name())) {
                kept.add(bound.tool);
            }
        }
        return new ToolRegistry(kept, workspace);
    }

    /**
     * Parses the arguments, once, and finds out where the paths lead.
     *
     * @param cut whether the reply ended at its output limit, so that the arguments may be half
     */
    public PreparedCall prepare(ToolCall call, boolean cut) {
        if (cut) {
            return refused(call, cutMessage(call));
        }
        Bound<?> bound = tools.get(call.name());
        if (bound == null) {
            return refused(
                    call,
                    "There is no tool named \"%s\". Available: %s."
                            .formatted(
                                    call.name(),
                                    specs.stream()
                                            .map(ToolSpec::name)
                                            .collect(Collectors.joining(", "))));
        }
        try {
            return ready(call, bound);
        } catch (ToolException e) {
            return new PreparedCall.Refused(call, e.asResult());
        } catch (StackOverflowError e) {
            return refused(call, "The arguments of " + call.name() + " nest too deeply.");
        } catch (OutOfMemoryError e) {
            return refused(call, "The arguments of " + call.name() + " take too much memory.");
        } catch (RuntimeException e) { // a bug of the tool, or of its record, must not end the run
            return refused(call, "Internal error in " + call.name() + ": " + e);
        }
    }

    /** The call that would read this file, for whoever wants to know whether it is allowed. */
    public PreparedCall reading(String id, String path) {
        String arguments = "{\"file_path\":" + Json.quote(path) + "}";
        return prepare(new ToolCall(id, "read_file", arguments), false);
    }

    /** Runs the call. The one place that turns whatever a tool throws into a result. */
    public ToolResult invoke(PreparedCall.Ready<?> ready, ToolContext context) {
        try {
            return run(ready, context);
        } catch (ToolException e) {
            return e.asResult();
        } catch (ModelRetry e) {
            return ToolException.retry(e.hint()).asResult();
        } catch (IOException e) {
            return ToolResult.error(IoProblem.explain(e, context.workspace()));
        } catch (StackOverflowError e) {
            return ToolResult.error(name(ready) + " nested too deeply. Simplify the arguments.");
        } catch (OutOfMemoryError e) {
            return ToolResult.error(name(ready) + " ran out of memory. Ask for a smaller part.");
        } catch (Exception | LinkageError | AssertionError e) { // a bug must not end the run
            return ToolResult.error("Internal error in " + name(ready) + ": " + e);
        }
    }

    private <A extends Record> PreparedCall ready(ToolCall call, Bound<A> bound)
            throws ToolException {
        Tool<A> tool = bound.tool;
        A arguments = bound.binder().bind(call.arguments());
        String subject = tool.subject(arguments);
        List<String> subjects = new ArrayList<>(tool.subjects(arguments));
        List<String> real = new ArrayList<>();
        workspace.locate(tool.folder(arguments), true); // who judges the call takes it for a path
        for (String path : tool.paths(arguments)) {
            Path target = workspace.locate(path, tool.followsLinks());
            String shown = workspace.show(target); // a rule must not be dodged by ./ or a link
            real.add(target.toString());
            subjects.replaceAll(each -> each.equals(path) ? shown : each);
            subject = path.equals(subject) ? shown : subject;
        }
        return new PreparedCall.Ready<>(call, tool, arguments, subject, subjects, real);
    }

    private static <A extends Record> ToolResult run(
            PreparedCall.Ready<A> ready, ToolContext context) throws IOException, ToolException {
        return ready.tool().run(ready.arguments(), context);
    }

    private static String name(PreparedCall.Ready<?> ready) {
        return ready.call().name();
    }

    private static PreparedCall refused(ToolCall call, String text) {
        return new PreparedCall.Refused(call, ToolResult.error(text));
    }

    private static String cutMessage(ToolCall call) {
        int bytes = call.arguments().getBytes(StandardCharsets.UTF_8).length;
        return ("Not run: your reply reached the output limit, which cut the arguments of %s after"
                        + " %d bytes. Send smaller pieces, e.g. write_file with the first part and"
                        + " then mode \"append\" for each further part.")
                .formatted(call.name(), bytes);
    }

    /** A tool with what its calls are read by; made at the first call, a start must not pay it. */
    private static final class Bound<A extends Record> {
        private final Tool<A> tool;
        private @Nullable ArgumentBinder<A> binder;

        Bound(Tool<A> tool) {
            this.tool = tool;
        }

        synchronized ArgumentBinder<A> binder() {
            if (binder == null) {
                binder = new ArgumentBinder<>(tool.spec(), tool.argumentType());
            }
            return binder;
        }
    }
}
