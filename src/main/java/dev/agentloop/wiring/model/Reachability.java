package dev.agentloop.wiring.model;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;

/** Whether a server takes connections. Sends nothing, so it costs nothing and shows no key. */
public final class Reachability {
    private static final int TIMEOUT_MILLIS = 3_000;

    private Reachability() {}

    /** What is wrong; empty when the server, or the proxy in front of it, takes a connection. */
    public static String trouble(URI baseUrl, Map<String, String> environment) {
        URI target = proxy(baseUrl, environment);
        int port = target.getPort();
        if (port < 0) {
            port = "http".equals(target.getScheme()) ? 80 : 443;
        }
        try (Socket socket = new Socket()) {
            InetSocketAddress address =
                    new InetSocketAddress(String.valueOf(target.getHost()), port);
            if (address.isUnresolved()) {
                throw new UnknownHostException(target.getHost());
            }
            socket.connect(address, TIMEOUT_MILLIS);
            return "";
        } catch (UnknownHostException e) {
            return "cannot resolve " + target.getHost();
        } catch (IOException e) {
            return "no connection to "
                    + target.getHost()
                    + ":"
                    + port
                    + " ("
                    + e.getMessage()
                    + ")";
        }
    }

    private static URI proxy(URI baseUrl, Map<String, String> environment) {
        String variable = "http".equals(baseUrl.getScheme()) ? "http_proxy" : "https_proxy";
        String upper = variable.toUpperCase(java.util.Locale.ROOT);
        String proxy = environment.getOrDefault(variable, environment.getOrDefault(upper, ""));
        boolean loopback = String.valueOf(baseUrl.getHost()).matches("localhost|127\\..*|\\[::1]");
        try {
            return proxy.isEmpty() || loopback ? baseUrl : URI.create(proxy);
        } catch (IllegalArgumentException e) {
            return baseUrl;
        }
    }
}
