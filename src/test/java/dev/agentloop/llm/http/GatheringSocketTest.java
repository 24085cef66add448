package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class GatheringSocketTest {
    @Test
    @DisplayName("what was written goes in one piece, at a flush, and whole")
    void onePiece() throws IOException {
        byte[] request = new byte[150_001]; // more than is gathered at once
        new Random(1).nextBytes(request);
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new NoDelaySockets(GatheringSocket::new).createSocket()) {
            client.connect(server.getLocalSocketAddress());
            try (Socket peer = server.accept()) {
                peer.setSoTimeout(100);
                OutputStream out = client.getOutputStream();
                out.write(request, 0, 8192);
                out.write(request, 8192, 8192);
                assertThrows(IOException.class, () -> peer.getInputStream().read()); // no byte yet
                assertEquals(out, client.getOutputStream());
                out.flush();
                assertArrayEquals(
                        copy(request, 0, 16_384), peer.getInputStream().readNBytes(16_384));
                out.write(request, 16_384, request.length - 16_384);
                out.flush();
                assertArrayEquals(
                        copy(request, 16_384, request.length),
                        peer.getInputStream().readNBytes(request.length - 16_384));
            }
        }
    }

    @Test
    @DisplayName("a close from another thread ends a flush that nobody reads")
    void closedWhileItWrites() throws Exception {
        CompletableFuture<Void> writing;
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new NoDelaySockets(GatheringSocket::new).createSocket()) {
            client.connect(server.getLocalSocketAddress());
            writing = CompletableFuture.runAsync(() -> writeForEver(client));
            Thread.sleep(200); // by now nothing fits in between any more
            assertFalse(writing.isDone());
        }
        writing.join(); // the time limit of the test is the assertion
    }

    private static void writeForEver(Socket client) {
        try {
            while (true) {
                client.getOutputStream().write(new byte[60_000]);
            }
        } catch (IOException e) {
            return; // as it should
        }
    }

    private static byte[] copy(byte[] from, int start, int end) {
        return Arrays.copyOfRange(from, start, end);
    }
}
