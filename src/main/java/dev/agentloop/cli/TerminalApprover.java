package dev.agentloop.cli;

import dev.agentloop.control.Cancellation;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.ToolSummary;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Decision;
import dev.agentloop.tool.Prepared;
import dev.agentloop.tool.SubjectKind;
import java.io.IOException;
import java.util.Locale;

/** Asks at the terminal whether a call may run. The whole call is shown. */
final class TerminalApprover implements Approver {
    private final TerminalTalk talk;

    TerminalApprover(TerminalTalk talk) {
        this.talk = talk;
    }

    @Override
    public Answer ask(Prepared.Ready<?> ready, Decision decision, Cancellation cancellation) {
        try {
            return talk.alone(() -> {
                talk.show(question(ready));
                return answer(cancellation);
            });
        } catch (IOException e) {
            return new Answer.No("the question could not be answered: " + e.getMessage());
        }
    }

    private Answer answer(Cancellation cancellation) throws IOException {
        while (true) {
            talk.show("   Allow? [y]es, [n]o, [a]bort the run; or no with words: ");
            String line = talk.readLine(cancellation).strip();
            String word = line.toLowerCase(Locale.ROOT);
            switch (word) {
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
                default -> {
                    return new Answer.No("the person said: " + line);
                }
            }
        }
    }

    private static String question(Prepared.Ready<?> ready) {
        return "   "
                + SafeText.line(ready.call().name())
                + ": "
                + ToolSummary.of(ready.call())
                + "\n"
                + SafeText.block(ready.call().arguments()).indent(6)
                + address(ready);
    }

    /** As it will be sent: in it no letter of another alphabet looks like one of a known name. */
    private static String address(Prepared.Ready<?> ready) {
        return ready.tool().subjectKind() == SubjectKind.URL
                ? "      fetches " + SafeText.line(ready.subject()) + "\n"
                : "";
    }
}
