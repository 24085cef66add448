package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.CutText;
import dev.agentloop.process.CommandOutcome.Kept;
import dev.agentloop.process.CommandOutcome.Output;
import dev.agentloop.process.OutputText;

/**
 * The outputs of a command as the model reads them. Where they are too long together, each is cut
 * in its middle.
 */
final class PrintedOutput {
    private static final int LEAST = 500; // characters of a stream, however long the other is
    private static final int FOR_NAMES = 200; // characters of the words around a stream

    private static final String GAP = "\n[... "; // how the mark of a former cut begins

    private final StringBuilder text;
    private final Output stdout;
    private final Output stderr;
    private final String out;
    private final String err;
    private boolean cut;

    /**
     * @param text what stands above
     */
    PrintedOutput(StringBuilder text, Output stdout, Output stderr) {
        this.text = text;
        this.stdout = stdout;
        this.stderr = stderr;
        this.out = OutputText.folded(stdout.text().stripTrailing());
        this.err = OutputText.folded(stderr.text().stripTrailing());
        this.cut = stdout.leftOut() + stderr.leftOut() > 0;
    }

    /**
     * Both streams; where a long one is kept comes first.
     *
     * @param failed whether what stderr ends with stands above all else that is cut
     * @param room characters that both may have together
     */
    void append(boolean failed, int room) {
        appendFile("stdout", stdout);
        appendFile("stderr", stderr);
        int left = Math.max(LEAST, room - FOR_NAMES);
        if (out.length() + err.length() <= left) {
            appendStream("stdout", stdout, out);
            appendStream("stderr", stderr, err);
            return;
        }
        cut = true;
        int ofErr = Math.min(err.length(), Math.max(left / 2, left - out.length()));
        int ofOut = Math.max(LEAST / 2, left - ofErr);
        String shownOut = cut(out, ofOut);
        if (!failed || err.isEmpty()) {
            appendStream("stdout", stdout, shownOut);
            appendStream("stderr", stderr, cut(err, ofErr));
            return;
        }
        String lines = LongLines.shortened(err, ofErr);
        int end = lines.length() <= ofErr ? 0 : lastLines(lines, ofErr / 2);
        if (end == 0) {
            appendStream("stderr", stderr, lines);
            appendStream("stdout", stdout, shownOut);
            return;
        }
        text.append("\nstderr, its last lines:\n").append(lines, end, lines.length());
        appendStream("stdout", stdout, shownOut);
        int ofRest = Math.max(LEAST / 2, ofErr - (lines.length() - end));
        String rest = lines.substring(0, end);
        boolean hasGap = rest.length() > ofRest && rest.contains(GAP);
        appendStream(
                "stderr before that",
                stderr,
                hasGap ? new CutText(rest).toBeginning(ofRest) : cut(rest, ofRest));
    }

    boolean isCut() {
        return cut;
    }

    private static String cut(String stream, int room) {
        String lines = LongLines.shortened(stream, room);
        return lines.length() <= room ? lines : new CutText(lines).toLimit(room);
    }

    /** Where the last lines begin that have room, behind what was left out before. */
    private static int lastLines(String stream, int room) {
        int gap = stream.lastIndexOf(GAP);
        int behind = gap < 0 ? 0 : stream.indexOf('\n', gap + 1) + 1;
        return Math.max(behind, lineAfter(stream, stream.length() - room));
    }

    private static int lineAfter(String stream, int at) {
        int line = stream.indexOf('\n', at) + 1;
        return line > 0 && line < stream.length() - 1 ? line : at;
    }

    private void appendFile(String name, Output output) {
        Kept kept = output.kept();
        if (kept.path().isEmpty() || output.isBinary()) {
            return;
        }
        boolean all = kept.bytes() >= output.bytes();
        text.append('\n').append(all ? "all of " : "first " + kept.bytes() + " bytes of ");
        text.append(name).append(", until the run ends: ").append(kept.path());
        text.append(" (for grep, or read_file with offset)");
    }

    private void appendStream(String name, Output output, String shown) {
        text.append('\n').append(name);
        if (output.bytes() == 0) {
            text.append(": (empty)");
        } else if (output.isBinary()) {
            text.append(": binary, ").append(output.bytes()).append(" bytes");
            String path = output.kept().path();
            text.append(
                    path.isEmpty() ? ", not kept" : ", kept in " + path + " until the run ends");
        } else {
            if (output.leftOut() > 0) {
                text.append(" (").append(output.bytes()).append(" bytes)");
            }
            text.append(":\n").append(shown);
        }
    }
}
