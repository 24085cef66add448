package dev.agentloop.chat;

import java.io.IOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.impl.exec.ExecPty;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;

/**
 * The terminal that standard input and output are, by way of {@code stty}. The library asks for its
 * attributes many times in a row: a dozen processes before the first prompt. For a moment the first
 * answer serves all of them, unless the attributes are set meanwhile. Its size is always asked for.
 */
final class SttyPty extends ExecPty {
    private static final long MOMENT_NANOS = 1_000_000_000;

    private String answer = ""; // of stty; empty if it must be asked
    private long asked;
    private boolean setting;

    SttyPty() {
        super(new ExecTerminalProvider(), SystemStream.Output, "terminal");
    }

    /** Somebody else may have set the attributes: a shell, while the program was stopped. */
    synchronized void forget() {
        answer = "";
    }

    @Override
    protected synchronized String doGetConfig() throws IOException {
        String known = answer;
        if (known.isEmpty() || System.nanoTime() - asked > MOMENT_NANOS) {
            asked = System.nanoTime();
            known = super.doGetConfig();
        }
        answer = setting ? "" : known; // what has been set may not be what was wanted
        return known;
    }

    @Override
    protected synchronized void doSetAttr(Attributes attributes) throws IOException {
        setting = true;
        try {
            super.doSetAttr(attributes);
        } finally {
            setting = false;
            answer = "";
        }
    }

    @Override
    public synchronized Size getSize() throws IOException {
        answer = "";
        return super.getSize();
    }

    @Override
    public synchronized void setSize(Size size) throws IOException {
        super.setSize(size);
        answer = "";
    }
}
