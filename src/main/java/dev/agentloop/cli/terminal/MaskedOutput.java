package dev.agentloop.cli.terminal;

import dev.agentloop.secret.Secrets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Masks secrets in what is written; each write is a whole piece of text. */
public final class MaskedOutput extends OutputStream {
    private final OutputStream out;
    private final Secrets secrets;

    public MaskedOutput(OutputStream out, Secrets secrets) {
        this.out = out;
        this.secrets = secrets;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        String masked = secrets.mask(text);
        if (masked.equals(text)) {
            out.write(bytes, offset, length); // every byte as it was
        } else {
            out.write(masked.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
