package dev.agentloop.mcp.channel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads a stream to its end and keeps the last bytes, however much comes. */
public final class LastBytes {
    private static final int KEPT = 64 * 1024;
    private static final int SHOWN = 500; // characters of an error message

    private final byte[] ring = new byte[KEPT];
    private long total;

    /** Blocks until the stream ends. */
    public void drain(InputStream in) {
        byte[] chunk = new byte[8 * 1024];
        try {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                add(chunk, n);
            }
        } catch (IOException e) {
            return; // closed under us: what came is kept
        }
    }

    private synchronized void add(byte[] chunk, int length) {
        for (int i = 0; i < length; i++) {
            ring[(int) (total++ % KEPT)] = chunk[i];
        }
    }

    /** How many bytes are held. */
    public synchronized int held() {
        return (int) Math.min(total, KEPT);
    }

    /** The end of it as one line for people; empty if nothing came. */
    public synchronized String lastLine() {
        byte[] kept = new byte[held()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = ring[(int) ((total - kept.length + i) % KEPT)];
        }
        String text = CleanText.oneLine(new String(kept, StandardCharsets.UTF_8)).strip();
        return text.length() <= SHOWN ? text : "…" + text.substring(text.length() - SHOWN);
    }
}
