package dev.agentloop.cli.terminal;

import dev.agentloop.control.Cancellation;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.ToolSummary;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Decision;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.call.PreparedCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Asks at the terminal whether a call may run. The whole call is shown, page by page if need be.
 */
public final class TerminalApprover implements Approver {
    private static final int QUESTION_LINES = 6; // below the call, so that they stay in sight

    private final TerminalTalk talk;
    private final Keeper keeper;

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

    public TerminalApprover(TerminalTalk talk, Keeper keeper) {
        this.talk = talk;
        this.keeper = keeper;
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
                return answer(decision, cancellation);
            });
        } catch (IOException e) {
            return new Answer.No("the question could not be answered: " + e.getMessage());
        }
    }

    private Answer answer(Decision decision, Cancellation cancellation) throws IOException {
        boolean lasting = !decision.always().isEmpty();
        while (true) {
            talk.show(choices(lasting));
            String line = talk.readLine(cancellation).strip();
            switch (line.toLowerCase(Locale.ROOT)) {
                case "" -> {}
                case "y", "yes" -> {
                    return new Answer.Yes();
                }
                case "n", "no" -> {
                    return new Answer.No("the person said no");
                }
                case "a", "abort" -> {
                    return new Answer.Abort();
                }
                case "s", "session" -> {
                    if (lasting) {
                        return new Answer.Yes(Lasting.SESSION);
                    }
                    talk.show("   This is asked each time.\n");
                }
                case "h", "here" -> {
                    if (lasting && keeper.isOpen() && keeper.keep(decision.always())) {
                        return new Answer.Yes(Lasting.SESSION);
                    }
                    talk.show("   This cannot be allowed for ever.\n");
                }
                default -> {
                    return new Answer.No("the person said: " + line);
                }
            }
        }
    }

    private String choices(boolean lasting) {
        return "   Allow? [y]es, "
                + (lasting ? "yes for this [s]ession, " : "")
                + (lasting && keeper.isOpen() ? "always [h]ere, " : "")
                + "[n]o, [a]bort the run; or no with words: ";
    }

    private List<String> question(
            PreparedCall.Ready<?> ready, Decision decision, List<PlannedChange> planned) {
        List<String> lines = new ArrayList<>();
        String tool = SafeText.line(ready.call().name());
        lines.add("   " + tool + ": " + ToolSummary.of(ready.call()));
        List<String> text =
                planned.isEmpty() ? CallText.of(ready.call()) : CallText.ofChanges(planned);
        text.forEach(line -> lines.add("      " + line));
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
