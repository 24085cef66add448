package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A model server that plays one script a request and is as strict as the strictest provider. What
 * is wrong with a request, or a request too many, is a violation, and violations fail the test.
 */
public final class ScriptedServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final int port;
    private volatile ServerSocket server;
    private final Protocol protocol;
    private final Deque<Script> scripts = new ArrayDeque<>();
    private final List<Asked> requests = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final GrowingHistory history = new GrowingHistory();
    private final AtomicInteger ids = new AtomicInteger();
    private final List<Reply> played = new CopyOnWriteArrayList<>();
    private Script forEver =
            exchange -> exchange.status(500, "", Faults.error("the script is at its end"));
    private boolean endless;
    private boolean mayCompact;

    private ScriptedServer(Protocol protocol, ServerSocket server) {
        this.protocol = protocol;
        this.server = server;
        this.port = server.getLocalPort();
    }

    /** Speaks Chat Completions. */
    public static ScriptedServer chat(Script... scripts) {
        return start(Protocol.CHAT, scripts);
    }

    public static ScriptedServer start(Protocol protocol, Script... scripts) {
        try {
            ScriptedServer model =
                    new ScriptedServer(
                            protocol, new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")));
            model.scripts.addAll(List.of(scripts));
            daemon(model::acceptAll);
            return model;
        } catch (IOException e) {
            throw new AssertionError("cannot listen", e);
        }
    }

    /** At an address where nobody listens before {@link #open}. */
    public static ScriptedServer closed(Script... scripts) {
        try (ScriptedServer here = start(Protocol.CHAT, scripts)) {
            return here;
        }
    }

    /** Begins to listen where nobody listened so far. */
    public void open() {
        try {
            server = new ServerSocket(port, 50, InetAddress.ofLiteral("127.0.0.1"));
            daemon(this::acceptAll);
        } catch (IOException e) {
            throw new AssertionError("cannot listen at " + port, e);
        }
    }

    /** Plays this for every request after the scripted ones. */
    public synchronized ScriptedServer thenForEver(Script script) {
        forEver = script;
        endless = true;
        return this;
    }

    public synchronized void then(Script script) {
        scripts.add(script);
    }

    Protocol protocol() {
        return protocol;
    }

    /** The next request need not begin as the one before, as after a resume. */
    public synchronized void expectAnotherBeginning() {
        history.forget();
    }

    /** Requests may begin otherwise at any time; the test looks at them itself. */
    public synchronized ScriptedServer allowingCompaction() {
        mayCompact = true;
        return this;
    }

    public String baseUrl() {
        return "http://127.0.0.1:" + port + protocol.basePath;
    }

    public List<Asked> requests() {
        return List.copyOf(requests);
    }

    public Asked request(int index) {
        return requests.get(index);
    }

    public Asked lastRequest() {
        return requests.getLast();
    }

    /** Whole replies, whose tokens a provider would charge. */
    List<Reply> played() {
        return List.copyOf(played);
    }

    public void awaitRequests(int count) {
        Await.until(count + " requests", () -> requests.size() >= count);
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** How many scripts nobody has asked for. */
    public synchronized int left() {
        return scripts.size();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new AssertionError("cannot close", e);
        }
        if (!violations.isEmpty()) {
            throw new AssertionError("the model server complains: " + violations);
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            }
        } catch (IOException e) {
            return; // closed: the test is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Asked asked = read(in); asked != null; asked = read(in)) {
                take(asked).play(exchange(asked, socket));
                if (socket.isClosed()) {
                    return;
                }
            }
        } catch (IOException e) {
            return; // the client hung up; whether it may is for the test to say
        }
    }

    private Exchange exchange(Asked asked, Socket socket) throws IOException {
        return new Exchange(
                asked,
                socket,
                () -> "call_" + ids.incrementAndGet(),
                reply -> charge(asked, reply));
    }

    /** No model reads more tokens than it was sent bytes, nor says more than it may. */
    private void charge(Asked asked, Reply reply) {
        int bytes = asked.raw().getBytes(StandardCharsets.UTF_8).length;
        if (reply.input() > bytes) {
            violations.add("the script reads " + reply.input() + " tokens in " + bytes + " bytes");
        }
        if (reply.output() > asked.mostOutput()) {
            violations.add("the script says " + reply.output() + " of " + asked.mostOutput());
        }
        played.add(reply);
    }

    private synchronized Script take(Asked asked) {
        violations.addAll(RequestRules.violations(asked));
        if (!mayCompact) {
            violations.addAll(history.violations(asked));
        }
        requests.add(asked);
        Script script = scripts.poll();
        if (script == null && !endless) {
            violations.add("request " + requests.size() + " was not expected");
        }
        Script played = script == null ? forEver : script;
        if (played.mayShorten()) {
            history.forget();
        }
        return played;
    }

    private @org.jspecify.annotations.Nullable Asked read(InputStream in) throws IOException {
        String start = line(in);
        if (start.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || !headers.containsKey("content-length")) {
            return null; // its client was killed while it spoke
        }
        String raw = new String(bytes, StandardCharsets.UTF_8);
        String target = start.replaceFirst("^POST (\\S+) .*", "$1");
        if (!protocol.form.isAddress(target)) {
            violations.add("not a model's address: " + start);
        }
        JsonNode body = JSON.readTree(raw);
        return new Asked(protocol, target, headers, body, raw, Instant.now());
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "scripted server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public String toString() {
        return requests.stream()
                .map(asked -> asked.messages().size() + " messages")
                .collect(Collectors.joining(", ", new ArrayList<>(requests).size() + ": ", ""));
    }
}
