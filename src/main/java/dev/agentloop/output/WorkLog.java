package dev.agentloop.output;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.markdown.Looks;
import dev.agentloop.markdown.MarkdownStream;
import dev.agentloop.markdown.TextFlow;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * The log for a person at a terminal: what the model says, which files it reads, each edit as a
 * diff, commands with how they ended, the plan. Model calls and steps are not shown; {@link
 * HumanRenderer} shows them.
 */
public final class WorkLog implements EventSink {
    private static final int LAST_LINES = 10; // of a command that failed
    private static final int WIDEST = 200; // characters of a line of an output
    private static final int MAX_ERROR = 300; // characters
    private static final int TOLD = 100; // characters of what the program says to the model
    private static final String PERSON = "person"; // the origin of what is not its own
    private static final String INDENT = "    ";

    /** What stands between the pieces of an output in a result, and below it for the model. */
    private static final Pattern LABEL =
            Pattern.compile(
                    "std(?:out|err)[^:]{0,40}:(?: \\(empty\\))?|(?:all|first \\d+ bytes) of std.*"
                            + "|\\[(?:[A-Z][a-z]+ |\\d+ (?:line|character|byte)).*]");

    /** Above what a command wrote to one of them. */
    private static final Pattern STREAM =
            Pattern.compile("std(?:out|err)[^:]{0,40}:(?: \\(empty\\))?");

    /** Before the result of a call that the person has edited. */
    private static final Pattern CHANGED =
            Pattern.compile("^The person has changed this call to: .*\n");

    private final LogLines lines;
    private final Style style;
    private final HumanRenderer classic; // for what both say alike
    private final boolean liveText;
    private final IntSupplier columns;
    private final String unfold; // how a person sees what is folded
    private final Set<String> plans = new HashSet<>(); // calls that write one
    private final Map<String, List<AgentEvent.EditApplied>> edits = new HashMap<>(); // by call
    private final Map<String, List<String>> hooks = new HashMap<>(); // what they said, by call
    private final Set<String> announced = new HashSet<>(); // calls that are shown as begun
    private boolean afterText;
    private boolean afterCall;

    /**
     * @param out takes text as it is to be written, line feeds included
     * @param liveText whether the model's text is shown while it arrives
     * @param columns of the terminal
     * @param unfold said where an output is folded, such as {@code , Ctrl-T shows them}
     */
    public WorkLog(
            Consumer<String> out,
            Style style,
            boolean liveText,
            IntSupplier columns,
            String unfold) {
        this.lines =
                new LogLines(
                        out,
                        style,
                        markdown(style, columns),
                        text -> TextFlow.wrapped(text, columns.getAsInt()));
        this.style = style;
        this.classic = new HumanRenderer(lines, liveText);
        this.liveText = liveText;
        this.columns = columns;
        this.unfold = unfold;
    }

    /** Makes Markdown readable in this style. */
    public static MarkdownStream markdown(Style style, IntSupplier columns) {
        return new MarkdownStream(new Looks(style.unicode(), style.colours()), columns);
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.SessionStarted started -> begin(started);
            case AgentEvent.TextDelta(String text) -> text(text);
            case AgentEvent.LlmResponded _ -> lines.endText();
            case AgentEvent.ToolStarted(ToolCall call) -> open(call);
            case AgentEvent.EditApplied edit ->
                    edits.computeIfAbsent(edit.callId(), _ -> new ArrayList<>()).add(edit);
            case AgentEvent.ToolFinished end -> close(end);
            case AgentEvent.HookFinished hook -> hooked(hook);
            case AgentEvent.Finished(var summary) ->
                    lines.line(EndLines.brief(summary, style, columns.getAsInt()));
            case AgentEvent.SubagentStarted begun ->
                    below(begun.callId(), begun.depth(), begun.agent() + ": " + begun.task());
            case AgentEvent.SubagentDid did -> did(did);
            case AgentEvent.SubagentFinished end ->
                    below(end.callId(), end.depth(), end.agent() + ": " + ending(end));
            case AgentEvent.ToolProgress progress when plans.contains(progress.callId()) -> {}
            case AgentEvent.UserMessage(String said, String origin) when !origin.equals(PERSON) ->
                    lines.line(style.dim("The model is told: " + SafeText.line(said, TOLD)));
            case AgentEvent.LlmRequested _,
                    AgentEvent.UserMessage _,
                    AgentEvent.StepStarted _,
                    AgentEvent.ThinkingDelta _,
                    AgentEvent.UsageReported _,
                    AgentEvent.PermissionDecided _,
                    AgentEvent.Closing _,
                    AgentEvent.BudgetUpdated _ -> {}
            case AgentEvent.LimitReached(String reason, String _)
                    when reason.equals(EndLines.INTERRUPT) -> {} // the person knows
            case AgentEvent.ToolProgress _,
                    AgentEvent.LlmRetried _,
                    AgentEvent.LimitReached _,
                    AgentEvent.AgentSwitched _,
                    AgentEvent.ContextCompacted _,
                    AgentEvent.Warning _,
                    AgentEvent.Failed _ ->
                    classic.emit(event);
        }
    }

    /** A session that goes on has said this before. */
    private void begin(AgentEvent.SessionStarted started) {
        if (!started.resumed()) {
            String where = started.model() + ", agent " + started.agent();
            lines.line(style.dim(SafeText.line(where + ", sandbox " + started.sandbox())));
        }
        if (!started.guidance().isEmpty()) {
            String files = String.join(", ", started.guidance());
            lines.line(style.dim(SafeText.line("guidance: " + files)));
        }
    }

    private void text(String text) {
        if (!liveText || text.isEmpty()) {
            return;
        }
        if (afterCall) {
            lines.line("");
        }
        afterCall = false;
        afterText = true;
        lines.text(text);
    }

    private void open(ToolCall call) {
        lines.open(call.id());
        if (call.name().equals(CallWords.PLAN)) {
            plans.add(call.id());
        }
        if (CallWords.mayTakeLong(call)) {
            announced.add(call.id());
            say(call.id(), bullet() + CallWords.of(call));
        }
    }

    /** What another agent does for the run: its calls, and what goes wrong. */
    private void did(AgentEvent.SubagentDid did) {
        String said =
                switch (did.event()) {
                    case AgentEvent.ToolStarted(ToolCall call) -> CallWords.of(call);
                    case AgentEvent.ToolFinished end when end.result().isError() ->
                            CallWords.of(end.call()) + ": " + end.result().text().strip();
                    case AgentEvent.Warning(String message) -> message;
                    case AgentEvent.Failed failed -> failed.message();
                    default -> ""; // its report says the rest
                };
        if (!said.isEmpty()) {
            below(did.callId(), did.depth(), did.agent() + ": " + said);
        }
    }

    private static String ending(AgentEvent.SubagentFinished end) {
        String how = end.stopReason().equals("llm_done") ? "done" : end.stopReason();
        return how + " (" + Plural.of(end.steps(), "step") + ")";
    }

    /** Below the call that gave an agent its task; that of an agent of an agent further in. */
    private void below(String callId, int depth, String text) {
        int end = callId.indexOf('/');
        String line = SafeText.line(text.lines().findFirst().orElse(""), MAX_ERROR);
        String shown = style.dim(INDENT.repeat(Math.max(1, depth)) + line);
        lines.line(end < 0 ? callId : callId.substring(0, end), shown);
    }

    private String bullet() {
        return style.dim(style.sign("• ", "* "));
    }

    /** An empty line parts the text of the model from what it does. */
    private void say(String callId, String text) {
        if (afterText) {
            lines.line("");
        }
        afterText = false;
        afterCall = true;
        lines.line(callId, text);
    }

    private void close(AgentEvent.ToolFinished end) {
        String id = end.call().id();
        List<AgentEvent.EditApplied> changed = edits.remove(id);
        boolean begun = announced.remove(id);
        if (end.result().isError() || end.call().name().equals("run_command")) {
            if (!begun) {
                say(id, style.bad() + " " + CallWords.of(end.call()));
            }
            say(id, ending(end, begun));
        } else if (changed != null) {
            changed.forEach(edit -> say(id, edited(edit)));
        } else if (plans.remove(id)) {
            List<String> plan = CallWords.plan(end.call(), style);
            say(id, bullet() + "Plan\n" + INDENT + String.join("\n" + INDENT, plan));
        } else if (!begun) {
            say(id, bullet() + CallWords.of(end.call()));
        }
        List<String> heard = hooks.remove(id);
        if (heard != null) {
            heard.forEach(hook -> say(id, hook));
        }
        lines.close(id);
    }

    private String edited(AgentEvent.EditApplied edit) {
        String text = edit.diff();
        String diff = text == null ? "" : DiffLines.of(text, style);
        return bullet() + CallWords.of(edit.change()) + (diff.isEmpty() ? "" : "\n" + diff);
    }

    /** How a command ended, or why a call failed; of a failed command its last lines as well. */
    private String ending(AgentEvent.ToolFinished end, boolean begun) {
        ToolResult result = end.result();
        String text = CHANGED.matcher(result.text().strip()).replaceFirst("");
        String first = SafeText.line(text.lines().findFirst().orElse(""), MAX_ERROR);
        List<String> printed =
                text.lines()
                        .skip(1)
                        .filter(line -> !line.isBlank() && !LABEL.matcher(line).matches())
                        .toList();
        if (!result.isError()) {
            return style.dim(INDENT + first + folded(" · ", printed.size()));
        }
        String why = first.endsWith(":") ? first.substring(0, first.length() - 1) : first;
        StringBuilder shown = new StringBuilder(begun ? "  " + style.bad() + " " : INDENT);
        shown.append(style.red(why));
        if (result.exitCode().isPresent()) {
            int hidden = Math.max(0, printed.size() - LAST_LINES);
            shown.append(style.dim(folded("\n" + INDENT + "… after ", hidden)));
            printed.subList(hidden, printed.size()).forEach(line -> shown.append(dimmed(line)));
        }
        return shown.toString();
    }

    /**
     * What a command printed, for the person who has typed it: without the names of the streams,
     * and with how it ended unless all went well.
     *
     * @param result of the tool that has run it
     */
    public static String typed(String result, Style style) {
        List<String> lines = new ArrayList<>(result.lines().toList());
        String end = lines.isEmpty() ? "" : lines.removeFirst();
        if (!lines.isEmpty() && STREAM.matcher(lines.getFirst()).matches()) {
            lines.removeFirst();
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (STREAM.matcher(lines.get(i)).matches()) {
                lines.remove(i);
                break;
            }
        }
        StringBuilder shown = new StringBuilder();
        lines.forEach(line -> shown.append(line).append('\n'));
        if (!end.startsWith("exit code: 0")) {
            shown.append(style.bad()).append(' ').append(style.red(end)).append('\n');
        }
        return shown.isEmpty() ? style.dim("(no output)") + "\n" : shown.toString();
    }

    private String folded(String before, int count) {
        return count == 0 ? "" : before + Plural.of(count, "line") + unfold;
    }

    private String dimmed(String line) {
        return "\n" + style.dim(INDENT + SafeText.line(line.replace("\t", "    "), WIDEST));
    }

    private void hooked(AgentEvent.HookFinished hook) {
        String name = "Hook " + SafeText.line(hook.name(), 64);
        boolean ok = hook.exitCode() == 0;
        StringBuilder shown = new StringBuilder();
        shown.append(ok ? style.dim(INDENT + name + ": ok") : style.red(INDENT + name + " failed"));
        if (!ok) {
            hook.output().lines().limit(LAST_LINES).forEach(line -> shown.append(dimmed(line)));
        }
        if (hook.callId().isEmpty()) {
            say("", shown.toString());
        } else {
            hooks.computeIfAbsent(hook.callId(), _ -> new ArrayList<>()).add(shown.toString());
        }
    }
}
