package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.CommandOutcome;
import java.time.Duration;

/**
 * What the model is told about a command: first how it ended, then what it printed.
 *
 * @param resultChars characters that the result may have
 */
record CommandReport(
        String command, String cwd, Duration timeout, CommandOutcome outcome, int resultChars) {

    private static final int FOR_HINTS = 700; // characters that are added to the result later

    ToolResult result() {
        StringBuilder text = new StringBuilder(ending());
        if (!cwd.isEmpty()) {
            text.append("\ncwd: ").append(cwd);
        }
        String notes = notes();
        PrintedOutput printed = new PrintedOutput(text, outcome.stdout(), outcome.stderr());
        printed.append(
                kind() != ToolResult.Kind.OK,
                resultChars - text.length() - notes.length() - FOR_HINTS);
        text.append(notes);
        return ToolResult.of(kind(), "")
                .withText(text.toString(), printed.isCut())
                .withExitCode(outcome.exitCode());
    }

    private ToolResult.Kind kind() {
        return switch (outcome.ending()) {
            case CANCELLED -> ToolResult.Kind.CANCELLED;
            case TIMED_OUT -> ToolResult.Kind.ERROR;
            case EXITED ->
                    outcome.exitCode() == 0 || isAnswer()
                            ? ToolResult.Kind.OK
                            : ToolResult.Kind.ERROR;
        };
    }

    private boolean isAnswer() {
        return outcome.exitCode() == 1 && ExitCodes.isAnswer(command, outcome.stderr().text());
    }

    private String notes() {
        StringBuilder text = new StringBuilder();
        for (String killed : outcome.killed()) {
            text.append("\n[background process still ran when the command ended; killed ")
                    .append(killed)
                    .append("]");
        }
        for (String suspect : outcome.suspects()) {
            text.append("\n[possibly escaped, still running: ").append(suspect).append("]");
        }
        for (String note : outcome.notes()) {
            text.append("\n[").append(note).append("]");
        }
        return text.toString();
    }

    private String ending() {
        String took = seconds(outcome.took());
        return switch (outcome.ending()) {
            case CANCELLED -> "interrupted after " + took + "; the command may have run partly";
            case TIMED_OUT ->
                    "timed out after "
                            + timeout.toSeconds()
                            + " s; killed with everything it started (exit code: "
                            + outcome.exitCode()
                            + ")"
                            + alive();
            case EXITED -> exit() + " (" + took + ")";
        };
    }

    private String exit() {
        return isAnswer()
                ? "exit code: 1, which says no match, a difference or false"
                : "exit code: " + outcome.exitCode() + explanation();
    }

    private String alive() {
        return outcome.exitCode() == -1 ? "; it could not be killed and may still run" : "";
    }

    private String explanation() {
        if (outcome.exitCode() == 0) {
            return ""; // spares the usual case the loading of all the words
        }
        String words = ExitCodes.explain(outcome.exitCode(), outcome.stderr().text());
        return words.isEmpty() ? "" : ", " + words;
    }

    static String seconds(Duration took) {
        long tenths = (took.toMillis() + 50) / 100;
        return tenths / 10 + "." + tenths % 10 + " s";
    }
}
