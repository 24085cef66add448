package dev.agentloop.web;

import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.HostPattern;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;
import okhttp3.Dns;

/**
 * An internet of one server: names answer what a test says, and whatever address is connected to,
 * the server is there. So public addresses can be fetched from without a net.
 */
final class WebFixture {
    static final String PUBLIC = "93.184.216.34";

    final List<String> connectedTo = new CopyOnWriteArrayList<>();
    final List<String> lookedUp = new CopyOnWriteArrayList<>();
    final Map<String, String> environment = new HashMap<>();
    final ToolFixture tools;
    private final Map<String, Deque<String>> names = new HashMap<>();
    private final List<HostPattern> privateHosts = new ArrayList<>();
    private final RawServer server;

    WebFixture(Path folder, RawServer server) {
        this(folder, server, new WebLimits(Duration.ofSeconds(20), 5_000_000, 8_000));
    }

    WebFixture(Path folder, RawServer server, WebLimits limits) {
        this.server = server;
        this.tools = ToolFixture.with(folder, List.of(new WebFetchTool(limits, this::network)));
    }

    /** Each lookup takes the next answer, addresses with commas between; the last one stays. */
    WebFixture name(String host, String... answers) {
        names.put(host, new ArrayDeque<>(Arrays.asList(answers)));
        return this;
    }

    WebFixture privateHost(String host) {
        privateHosts.add(HostPattern.parse(host).orElseThrow());
        return this;
    }

    ToolResult fetch(String url) {
        return tools.call("web_fetch", "url", url);
    }

    private WebNetwork network() {
        return new WebNetwork(
                new Names(), new ToTheServer(), environment, () -> TrustedCas.SYSTEM, privateHosts);
    }

    private final class Names implements Dns {
        @Override
        public List<InetAddress> lookup(String host) throws UnknownHostException {
            lookedUp.add(host);
            Deque<String> answers = names.get(host);
            if (answers == null) {
                return literal(host);
            }
            String next = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
            List<InetAddress> addresses = new ArrayList<>();
            for (String address : next.split(",")) {
                addresses.add(InetAddress.ofLiteral(address));
            }
            return addresses;
        }

        /** As the system reads numbers; anything else has no address. */
        private List<InetAddress> literal(String host) throws UnknownHostException {
            if (host.matches("[\\w:.]*[\\d:][\\w:.]*") || host.equals("localhost")) {
                return List.of(InetAddress.getAllByName(host));
            }
            throw new UnknownHostException(host);
        }
    }

    private final class ToTheServer extends SocketFactory {
        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public void connect(SocketAddress to, int timeout) throws IOException {
                    connectedTo.add(((InetSocketAddress) to).getAddress().getHostAddress());
                    super.connect(new InetSocketAddress("127.0.0.1", server.port()), timeout);
                }
            };
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }
    }
}
