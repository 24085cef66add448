package dev.agentloop.cli.session;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.output.SafeText;
import dev.agentloop.replay.cassette.CassetteHeader;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.view.StepView;
import dev.agentloop.session.SavedSession;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Steps of a recorded run as text and as JSON. Nothing in the text can steer a terminal. */
final class ReplayText {
    private static final String INDENT = "  ";

    private ReplayText() {}

    static String head(CassetteHeader header) {
        return line("Cassette of session " + header.sessionId() + ", " + header.recorded())
                + line("Model " + header.model() + ", agent " + header.agent());
    }

    static String head(SavedSession session) {
        return line("Session " + session.summary().id() + ", " + session.summary().started())
                + line("Model " + session.summary().model())
                + line("Agent " + session.summary().agent());
    }

    static String foot(CassetteLine.Ended end) {
        return "\n"
                + line(
                        end.status()
                                + " ("
                                + end.stopReason()
                                + "), exit code "
                                + end.exitCode()
                                + ", "
                                + end.took().toMillis()
                                + " ms");
    }

    static String foot(SavedSession session) {
        return "\n"
                + line(
                        session.summary().status()
                                + ": "
                                + session.usage().total()
                                + " tokens, "
                                + cost(session.usd()));
    }

    static String of(StepView step) {
        StringBuilder text = new StringBuilder("\n");
        String name = step.closing() ? "Summary" : "Step " + step.number();
        text.append(line(step.number() == 0 ? "Before the first step" : name));
        step.said().forEach(words -> text.append(block("> ", words)));
        step.notices().forEach(notice -> text.append(block(INDENT + "! ", notice)));
        text.append(block(INDENT, step.text()));
        step.calls().forEach(call -> text.append(call(call)));
        for (StepView.Hook hook : step.hooks()) {
            String end = " hook " + hook.name() + " (" + hook.event() + "): ";
            text.append(line(INDENT + "-" + end + "exit code " + hook.exitCode()));
            text.append(block(INDENT.repeat(3), hook.output()));
        }
        if (step.tokens() > 0) {
            text.append(line(INDENT + "So far: " + step.tokens() + " tokens, " + cost(step.usd())));
        }
        return text.toString();
    }

    private static String call(StepView.Call call) {
        StringBuilder text = new StringBuilder();
        text.append(line(INDENT + "- " + call.call().name() + " " + call.call().arguments()));
        if (!call.verdict().isEmpty()) {
            text.append(line(INDENT.repeat(2) + call.verdict()));
        }
        for (FileChange change : call.changes()) {
            text.append(
                    line(
                            INDENT.repeat(2)
                                    + word(change.kind())
                                    + " "
                                    + change.path()
                                    + " +"
                                    + change.added()
                                    + " -"
                                    + change.removed()));
        }
        ToolResult result = call.result();
        if (result == null) {
            return text.append(line(INDENT.repeat(2) + "no result")).toString();
        }
        text.append(line(INDENT.repeat(2) + word(result.kind()) + ":"));
        return text.append(block(INDENT.repeat(3), result.text())).toString();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String cost(@Nullable BigDecimal usd) {
        return usd == null
                ? "cost unknown"
                : "$" + usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
    }

    private static String line(String text) {
        return SafeText.block(text).replace("\n", "\\n").stripTrailing() + "\n";
    }

    private static String block(String indent, String text) {
        StringBuilder block = new StringBuilder();
        text.strip().lines().forEach(each -> block.append(line(indent + each)));
        return block.toString();
    }
}
