package dev.agentloop.cli.terminal;

import dev.agentloop.markdown.TextFlow;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Breaks lines that the screen is too narrow for between words. A line that comes in two writes is
 * measured as two.
 */
public final class BrokenLines extends FilterOutputStream {
    private final Screen screen;

    public BrokenLines(OutputStream out, Screen screen) {
        super(out);
        this.screen = screen;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        out.write(TextFlow.wrapped(text, screen.columns()).getBytes(StandardCharsets.UTF_8));
    }
}
