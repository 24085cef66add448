package dev.agentloop.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/**
 * A server that answers request after request with scripted bytes, sleeps and ways to hang up; the
 * only way to get exact pieces on the wire. The last script answers all further requests.
 */
public final class RawServer implements AutoCloseable {
    /** What happens on a connection once a request has been read. */
    @FunctionalInterface
    public interface Script {
        /** Returns false when the connection is over. */
        boolean play(Socket socket, OutputStream out) throws IOException;
    }

    /** One request as it came. */
    public record Request(String head, byte[] body, int connection) {
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** Value of a header; empty if there is none. */
        public String header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase().startsWith(name.toLowerCase() + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    private final ServerSocket server;
    private final List<Script> scripts = new ArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private int next;

    private RawServer(ServerSocket server) {
        this.server = server;
    }

    public static RawServer start(Script... scripts) {
        return start(ServerSocketFactory.getDefault(), scripts);
    }

    /** With sockets of this factory, for TLS. */
    public static RawServer start(ServerSocketFactory sockets, Script... scripts) {
        try {
            InetAddress here = InetAddress.ofLiteral("127.0.0.1");
            RawServer raw = new RawServer(sockets.createServerSocket(0, 50, here));
            raw.scripts.addAll(List.of(scripts));
            daemon(raw::acceptAll);
            return raw;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public Request lastRequest() {
        return requests.getLast();
    }

    public int connections() {
        return sockets.size();
    }

    /** Answers all further requests so. */
    public synchronized void then(Script script) {
        scripts.add(script);
        next = scripts.size() - 1;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A whole answer with a length, after which the connection stays open. */
    public static Script answer(int status, String headers, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return (_, out) -> {
            out.write(head(status, headers + "Content-Length: " + bytes.length + "\r\n"));
            out.write(bytes);
            out.flush();
            return true;
        };
    }

    /** A whole event stream in chunked encoding, in one piece. */
    public static Script events(String stream) {
        return (_, out) -> {
            out.write(head(200, SSE + "Transfer-Encoding: chunked\r\n"));
            byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
            out.write(chunk(bytes));
            out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            return true;
        };
    }

    /** An event stream whose bytes go out one by one; ends with the connection. */
    public static Script byteByByte(byte[] stream) {
        return (_, out) -> {
            out.write(head(200, SSE + "Connection: close\r\n"));
            for (byte b : stream) {
                out.write(b);
                out.flush();
            }
            return false;
        };
    }

    /** Begins an event stream that ends with the connection, then does as {@code rest} says. */
    public static Script begin(String events, Script rest) {
        return (socket, out) -> {
            out.write(head(200, SSE + "Connection: close\r\n"));
            out.write(events.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return rest.play(socket, out);
        };
    }

    /** Ends the connection in an orderly way. */
    public static Script hangUp() {
        return (_, _) -> false;
    }

    /** Ends the connection with a reset. */
    public static Script reset() {
        return (socket, _) -> {
            pause(30); // what was sent before must arrive first
            socket.setSoLinger(true, 0);
            socket.close();
            return false;
        };
    }

    /** Says nothing for as long as the test may take. */
    public static Script silence() {
        return (_, _) -> {
            pause(60_000);
            return false;
        };
    }

    public static final String SSE = "Content-Type: text/event-stream\r\n";

    public static byte[] head(int status, String headers) {
        return ("HTTP/1.1 " + status + " Scripted\r\n" + headers + "\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] chunk(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(
                (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(bytes);
        out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    public static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                int number = sockets.size();
                daemon(() -> serve(socket, number));
            }
        } catch (IOException e) {
            // closed: the test is over
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            Request request;
            do {
                request = read(in, number);
                if (request == null) {
                    return;
                }
                requests.add(request);
            } while (nextScript().play(socket, out));
        } catch (IOException e) {
            // the client hung up, which is often what the test is about
        }
    }

    private synchronized Script nextScript() {
        Script script = scripts.get(Math.min(next, scripts.size() - 1));
        next++;
        return script;
    }

    private static @org.jspecify.annotations.Nullable Request read(InputStream in, int connection)
            throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return null;
            }
            head.append((char) c);
        }
        int length = 0;
        for (String line : head.toString().split("\r\n")) {
            if (line.toLowerCase().startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return new Request(head.toString(), in.readNBytes(length), connection);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }
}
