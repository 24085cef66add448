package dev.agentloop.cli;

import dev.agentloop.control.Cancellation;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.ToolSummary;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Decision;
import dev.agentloop.tool.Prepared;
import dev.agentloop.tool.SubjectKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Asks at the terminal. The whole call is shown; what was typed before the question does not count
 * as its answer. Reading only when a line is there keeps the question interruptible.
 */
final class TerminalApprover implements Approver {
    private static final long POLL_MILLIS = 20;

    private final Streams streams;
    private final ErrorConsole console;

    TerminalApprover(Streams streams, ErrorConsole console) {
        this.streams = streams;
        this.console = console;
    }

    @Override
    public synchronized Answer ask(
            Prepared.Ready<?> ready, Decision decision, Cancellation cancellation) {
        console.hold();
        try {
            discardTypedAhead();
            console.print(question(ready));
            while (true) {
                console.print("   Allow? [y]es, [n]o, [a]bort the run; or no with words: ");
                String line = readLine(cancellation).strip();
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
        } catch (IOException e) {
            return new Answer.No("the question could not be answered: " + e.getMessage());
        } finally {
            console.release();
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

    private void discardTypedAhead() throws IOException {
        InputStream in = streams.in();
        while (in.available() > 0) {
            in.skipNBytes(in.available());
        }
    }

    private String readLine(Cancellation cancellation) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (cancellation.isCancelled()) {
                throw new IOException("the run is ending");
            }
            if (streams.in().available() == 0) {
                pause(cancellation);
                continue;
            }
            int next = streams.in().read();
            if (next < 0 || next == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            line.write(next);
        }
    }

    private static void pause(Cancellation cancellation) throws IOException {
        try {
            cancellation.await(POLL_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
