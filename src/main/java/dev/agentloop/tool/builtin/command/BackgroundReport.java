package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.BackgroundCommands.Report;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.tool.ToolException;
import java.util.List;

/** What the model is told about a command in the background: its state, then what is new. */
record BackgroundReport(Report report, int resultChars) {

    /**
     * @param resultChars characters that the result may have
     */
    static ToolResult of(Report report, int resultChars) {
        return new BackgroundReport(report, resultChars).result();
    }

    /** The model speaks of a command that this run does not have. */
    static ToolException unknown(String id, BackgroundCommands commands) {
        List<String> running = commands.running();
        return ToolException.error(
                ("There is no background command \"%s\" in this run. Running: %s. Commands of an"
                                + " earlier run ended with it: start it again if it is needed.")
                        .formatted(id, running.isEmpty() ? "none" : String.join(", ", running)));
    }

    private ToolResult result() {
        if (report.end().isPresent() && !wasStopped(report.end().get())) {
            return ended(report.end().get());
        }
        StringBuilder text = new StringBuilder(report.id()).append(' ').append(state());
        PrintedOutput printed = new PrintedOutput(text, report.stdout(), report.stderr());
        printed.append(false, resultChars - text.length());
        return ToolResult.ok("").withText(text.toString(), printed.isCut());
    }

    private ToolResult ended(CommandOutcome outcome) {
        String command = report.request().command();
        ToolResult told =
                new CommandReport(
                                command, "", report.request().timeout(), outcome, resultChars - 100)
                        .result();
        return told.withText(report.id() + " has ended: " + told.text(), told.truncated());
    }

    private String state() {
        String ran = CommandReport.seconds(report.ran());
        if (report.end().isEmpty()) {
            String pid = report.reachable() ? "pid " + report.pid() + ", " : "";
            return "is running (" + pid + ran + "); output since last asked:";
        }
        int code = report.end().get().exitCode();
        return code == -1
                ? "could not be killed and may still run (pid " + report.pid() + ")"
                : "was stopped with everything it started (exit code: " + code + ", " + ran + ")";
    }

    private static boolean wasStopped(CommandOutcome outcome) {
        return outcome.ending() == CommandOutcome.Ending.CANCELLED;
    }
}
