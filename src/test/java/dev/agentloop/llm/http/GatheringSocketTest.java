package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class GatheringSocketTest {
    private ServerSocket server;
    private Socket client;
    private Socket peer;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        client = new NoDelaySockets(GatheringSocket::new).createSocket();
        client.connect(server.getLocalSocketAddress());
        peer = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        peer.close();
        server.close();
    }

    @Test
    @DisplayName("what was written goes in one piece, at a flush, and whole")
    void onePiece() throws IOException {
        byte[] request = new byte[150_001]; // more than is gathered at once
        new Random(1).nextBytes(request);
        OutputStream out = client.getOutputStream();
        out.write(request, 0, 8192);
        out.write(request, 8192, 8192);
        peer.setSoTimeout(100);
        assertThrows(SocketTimeoutException.class, () -> peer.getInputStream().read());
        peer.setSoTimeout(0);
        assertEquals(out, client.getOutputStream());
        out.flush();
        assertArrayEquals(Arrays.copyOf(request, 16_384), peer.getInputStream().readNBytes(16_384));
        CompletableFuture<Void> rest =
                CompletableFuture.runAsync(() -> write(request, 16_384, request.length - 16_384));
        assertArrayEquals(
                Arrays.copyOfRange(request, 16_384, request.length),
                peer.getInputStream().readNBytes(request.length - 16_384));
        rest.join();
    }

    @Test
    @DisplayName("a close from another thread ends a flush that nobody reads")
    void closedWhileItWrites() throws Exception {
        AtomicInteger flushed = new AtomicInteger();
        CompletableFuture<Void> writing =
                CompletableFuture.runAsync(() -> {
                    while (true) {
                        write(new byte[8192], 0, 8192);
                        flushed.incrementAndGet();
                    }
                });
        int before = -1;
        while (flushed.get() == 0 || flushed.get() != before) { // until nothing fits any more
            before = flushed.get();
            Thread.sleep(100);
        }
        assertFalse(writing.isDone());
        client.close();
        assertThrows(Exception.class, writing::join); // or the time limit of the test
    }

    private void write(byte[] bytes, int from, int length) {
        try {
            OutputStream out = client.getOutputStream();
            out.write(bytes, from, length);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
