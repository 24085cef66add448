package dev.agentloop.llm.http;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A socket that hands a request to the system in pieces of 64 kB, the last at a flush: OkHttp
 * writes 8 kB at a time, and each of these writes costs a step 0.1 ms until the JVM has compiled
 * its way.
 *
 * <p>Not below TLS: its streams do not promise to flush what they write to.
 */
public final class GatheringSocket extends Socket {
    private static final int SIZE = 64 << 10; // bytes
    private @Nullable OutputStream out;

    @Override
    public synchronized OutputStream getOutputStream() throws IOException {
        if (out == null) {
            out = new BufferedOutputStream(super.getOutputStream(), SIZE);
        }
        return out;
    }
}
