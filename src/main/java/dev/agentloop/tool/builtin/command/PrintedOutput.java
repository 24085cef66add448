package dev.agentloop.tool.builtin.command;

import dev.agentloop.process.CommandOutcome.Kept;
import dev.agentloop.process.CommandOutcome.Output;

/** The outputs of a command as the model reads them. */
final class PrintedOutput {
    private PrintedOutput() {}

    /**
     * Both streams; where a long one is kept comes first, the middle of a long result may be cut.
     */
    static void append(StringBuilder text, Output stdout, Output stderr) {
        appendFile(text, "stdout", stdout);
        appendFile(text, "stderr", stderr);
        appendStream(text, "stdout", stdout);
        appendStream(text, "stderr", stderr);
    }

    static boolean isCut(Output stdout, Output stderr) {
        return stdout.leftOut() + stderr.leftOut() > 0;
    }

    private static void appendFile(StringBuilder text, String name, Output output) {
        Kept kept = output.kept();
        if (kept.path().isEmpty()) {
            return;
        }
        boolean all = kept.bytes() >= output.bytes();
        text.append('\n').append(all ? "all of " : "first " + kept.bytes() + " bytes of ");
        text.append(name).append(", until the run ends: ").append(kept.path());
        text.append(" (for grep, or read_file with offset)");
    }

    private static void appendStream(StringBuilder text, String name, Output output) {
        if (output.bytes() == 0) {
            text.append('\n').append(name).append(": (empty)");
            return;
        }
        text.append('\n').append(name);
        if (output.leftOut() > 0) {
            text.append(" (").append(output.bytes()).append(" bytes, ");
            text.append(output.leftOut()).append(" left out)");
        }
        text.append(":\n").append(output.text().stripTrailing());
    }
}
