package dev.agentloop.cli.terminal;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.ToolCall;
import dev.agentloop.output.SafeText;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Decision;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.call.PreparedCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Asks at the terminal whether a call may run. The whole call is shown, page by page if need be.
 */
public final class TerminalApprover implements Approver {
    private static final String COMMAND = "command";
    private static final String NAME = "^command: ";
    private static final int QUESTION_LINES = 6; // below the call, so that they stay in sight

    private final TerminalTalk talk;
    private final Keeper keeper;
    private final Editing editing;

    /** Lets a person edit a text. */
    @FunctionalInterface
    public interface Editing {
        /** Returns it as the person has left it. */
        String edit(String text) throws IOException;
    }

    /** Keeps what a person has allowed for ever. */
    @FunctionalInterface
    public interface Keeper {
        /** Where nothing can be kept. */
        Keeper NONE = _ -> false;

        /** Keeps rules for later runs in this workspace; false if that is not possible. */
        boolean keep(List<String> rules) throws IOException;

        /** Whether anything can be kept. */
        default boolean isOpen() {
            return this != NONE;
        }
    }

    public TerminalApprover(TerminalTalk talk, Keeper keeper, Editing editing) {
        this.talk = talk;
        this.keeper = keeper;
        this.editing = editing;
    }

    @Override
    public Answer ask(PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation) {
        return ask(ready, decision, List.of(), cancellation);
    }

    @Override
    public Answer ask(
            PreparedCall.Ready<?> ready,
            Decision decision,
            List<PlannedChange> planned,
            Cancellation cancellation) {
        try {
            return talk.alone(() -> {
                String early =
                        talk.showPaged(
                                question(ready, decision, planned), QUESTION_LINES, cancellation);
                if (!early.isEmpty()) {
                    return early.toLowerCase(Locale.ROOT).startsWith("a")
                            ? new Answer.Abort()
                            : new Answer.No("the person said no");
                }
                return answer(ready, decision, cancellation);
            });
        } catch (IOException e) {
            return new Answer.No(
                    cancellation.isCancelled()
                            ? "the run was stopped before somebody answered"
                            : "the question could not be answered: " + e.getMessage());
        }
    }

    private Answer answer(PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation)
            throws IOException {
        boolean lasting = !decision.always().isEmpty();
        boolean editable = ready.tool().subjectKind() == SubjectKind.COMMAND;
        Optional<Answer> answer = Optional.empty();
        while (answer.isEmpty()) {
            String line = talk.answer(choices(lasting, editable), cancellation);
            answer =
                    switch (line.toLowerCase(Locale.ROOT)) {
                        case "" -> Optional.empty();
                        case "y", "yes" -> Optional.of(new Answer.Yes());
                        case "n", "no" -> Optional.of(new Answer.No("the person said no"));
                        case "a", "abort" -> Optional.of(new Answer.Abort());
                        case "s", "session" -> lasting(lasting, "   This is asked each time.\n");
                        case "h", "here" ->
                                lasting(
                                        lasting
                                                && keeper.isOpen()
                                                && keeper.keep(decision.always()),
                                        "   This cannot be allowed for ever.\n");
                        case "e", "edit" ->
                                editable ? edited(ready.call(), cancellation) : Optional.empty();
                        default -> Optional.of(new Answer.No("the person said: " + line));
                    };
        }
        return answer.get();
    }

    private Optional<Answer> lasting(boolean possible, String otherwise) {
        if (!possible) {
            talk.show(otherwise);
        }
        return possible ? Optional.of(new Answer.Yes(Lasting.SESSION)) : Optional.empty();
    }

    private String choices(boolean lasting, boolean editable) {
        return "   Allow? [y]es, "
                + (lasting ? "yes for this [s]ession, " : "")
                + (lasting && keeper.isOpen() ? "always [h]ere, " : "")
                + (editable ? "[e]dit it first, " : "")
                + "[n]o, [a]bort the run; or no with words: ";
    }

    /** Lets the person edit the command and asks about what comes of it; empty: as before. */
    private Optional<Answer> edited(ToolCall call, Cancellation cancellation) throws IOException {
        try {
            Map<String, Object> arguments = new LinkedHashMap<>();
            JsonValue asked = Json.parse(call.arguments());
            asked.keys().forEach(key -> arguments.put(key, asked.at(key).raw()));
            String before = asked.at(COMMAND).text();
            String after = editing.edit(before);
            if (after.isBlank() || after.equals(before)) {
                talk.show("   The command is as it was.\n");
                return Optional.empty();
            }
            arguments.put(COMMAND, after);
            ToolCall changed =
                    new ToolCall(
                            call.id(), call.name(), Json.text(new JsonValue(arguments)::writeTo));
            List<String> lines =
                    CallText.of(changed).stream().map(line -> "      " + line).toList();
            String early = talk.showPaged(lines, QUESTION_LINES, cancellation);
            String line =
                    early.isEmpty()
                            ? talk.answer(
                                    "   Run this? [y]es, or ask again as before: ", cancellation)
                            : early;
            return line.equalsIgnoreCase("y") || line.equalsIgnoreCase("yes")
                    ? Optional.of(new Answer.Changed(changed.arguments()))
                    : Optional.empty();
        } catch (JsonException | IOException e) {
            if (cancellation.isCancelled()) {
                throw new IOException("the run is ending", e);
            }
            talk.show("   Not edited: " + SafeText.line(String.valueOf(e.getMessage())) + "\n");
            return Optional.empty();
        }
    }

    private List<String> question(
            PreparedCall.Ready<?> ready, Decision decision, List<PlannedChange> planned) {
        List<String> lines = new ArrayList<>();
        boolean command = ready.tool().subjectKind() == SubjectKind.COMMAND;
        lines.add(
                !planned.isEmpty()
                        ? "   Make this change?"
                        : command
                                ? "   Run this command?"
                                : "   Call " + SafeText.line(ready.call().name()) + "?");
        List<String> text =
                planned.isEmpty() ? CallText.of(ready.call()) : CallText.ofChanges(planned);
        boolean bare = command && text.size() == 1; // then its name would say nothing
        text.forEach(line -> lines.add("      " + (bare ? line.replaceFirst(NAME, "") : line)));
        if (ready.tool().subjectKind() == SubjectKind.URL) {
            lines.add("      fetches " + SafeText.line(ready.subject())); // as it will be sent
        }
        lines.add("   Asked because " + SafeText.line(decision.reason()));
        for (String rule : decision.always()) {
            lines.add(
                    (keeper.isOpen() ? "   For this session, or here: " : "   For this session: ")
                            + SafeText.line(rule));
        }
        return lines;
    }
}
