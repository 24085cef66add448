package dev.agentloop.mcp.oauth;

import dev.agentloop.control.Cancellation;
import dev.agentloop.mcp.channel.McpException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import okhttp3.HttpUrl;

/**
 * Where the browser comes back to after a login: a port of this machine that nobody else can guess,
 * open for as long as that takes. Whoever does not know the state is sent away.
 */
public final class LoopbackRedirect implements AutoCloseable {
    private static final String PATH = "/callback";
    private static final Duration VISIT = Duration.ofSeconds(3); // for one request line
    private static final int MAX_BYTES = 8_192; // of a visitor

    private final ServerSocket socket;

    public LoopbackRedirect() throws McpException {
        try {
            socket = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException e) {
            throw new McpException("no port for the login: " + e.getMessage());
        }
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + PATH;
    }

    /** The address that the browser came back with, the first with this state. */
    public HttpUrl await(String state, Duration patience, Cancellation cancellation)
            throws McpException {
        long end = System.nanoTime() + patience.toNanos();
        try (var _ = cancellation.onCancel(this::close)) {
            while (true) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new SocketTimeoutException();
                }
                socket.setSoTimeout((int) left);
                try (Socket connection = socket.accept()) {
                    HttpUrl came = answer(connection, state);
                    if (came != null) {
                        return came;
                    }
                }
            }
        } catch (SocketTimeoutException e) {
            throw new McpException("nobody logged in within " + patience.toSeconds() + " s");
        } catch (IOException e) {
            throw new McpException("the login was given up");
        }
    }

    private @org.jspecify.annotations.Nullable HttpUrl answer(Socket connection, String state) {
        try {
            String[] words = firstLine(connection).split(" ");
            HttpUrl url = words.length < 2 ? null : HttpUrl.parse("http://127.0.0.1" + words[1]);
            boolean ours =
                    url != null
                            && url.encodedPath().equals(PATH)
                            && state.equals(url.queryParameter("state"));
            String said = ours ? "You can close this window." : "This is not for you.";
            String answer =
                    "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                            .formatted(ours ? "200 OK" : "404 Not Found", said.length(), said);
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            return ours ? url : null;
        } catch (IOException e) {
            return null; // a visitor who says nothing
        }
    }

    /** Empty if it does not come in time, or is none. */
    private static String firstLine(Socket connection) throws IOException {
        long end = System.nanoTime() + VISIT.toNanos();
        byte[] read = new byte[MAX_BYTES];
        int size = 0;
        while (size < MAX_BYTES) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return "";
            }
            connection.setSoTimeout((int) left);
            int more = connection.getInputStream().read(read, size, MAX_BYTES - size);
            if (more < 0) {
                return "";
            }
            size += more;
            String text = new String(read, 0, size, StandardCharsets.US_ASCII);
            int lineEnd = text.indexOf('\n');
            if (lineEnd >= 0) {
                return text.substring(0, lineEnd).stripTrailing();
            }
        }
        return "";
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            return; // then it is closed by the end of the program
        }
    }
}
