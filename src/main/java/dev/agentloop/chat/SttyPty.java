package dev.agentloop.chat;

import java.io.IOException;
import java.io.InterruptedIOException;
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
    private static final int MOST_TRIES = 5;

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
            known = despiteCtrlC(super::doGetConfig);
        }
        answer = setting ? "" : known; // what has been set may not be what was wanted
        return known;
    }

    @Override
    protected synchronized void doSetAttr(Attributes attributes) throws IOException {
        setting = true;
        try {
            despiteCtrlC(() -> {
                super.doSetAttr(attributes);
                return attributes;
            });
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
        despiteCtrlC(() -> {
            super.setSize(size);
            return size;
        });
        answer = "";
    }

    /** Something that stty is asked or told. */
    private interface Stty<T> {
        T run() throws IOException;
    }

    /**
     * Ctrl-C ends stty as well, which is in the foreground with us, and interrupts whoever waits
     * for it. Then it is run anew; the interruption is there again afterwards.
     */
    private static <T> T despiteCtrlC(Stty<T> stty) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            for (int failed = 1; ; failed++) {
                try {
                    return stty.run();
                } catch (IOException e) {
                    interrupted |= Thread.interrupted() || e instanceof InterruptedIOException;
                    if (failed == MOST_TRIES) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
