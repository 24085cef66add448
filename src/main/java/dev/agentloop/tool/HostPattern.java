package dev.agentloop.tool;

import java.net.IDN;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Servers as a person names them: {@code example.com}, {@code *.example.com} for all names below
 * it, {@code localhost:8080}, {@code [::1]:8080}. A pattern without a port means the usual ports of
 * http and https. Names are compared whole, after IDNA, so that {@code example.com.evil} and {@code
 * evil-example.com} are other servers.
 *
 * @param host in lower case and ASCII, without a dot at its end
 * @param below whether the names below the host are meant, and not the host itself
 * @param port 0 for the usual ones
 */
public record HostPattern(String host, boolean below, int port) {

    /** The pattern; empty if {@code text} is none, for example because it has a path. */
    public static Optional<HostPattern> parse(String text) {
        String given = text.strip();
        boolean below = given.startsWith("*.");
        Server server = Server.of(below ? given.substring(2) : given);
        if (server == null || below && server.isLiteral()) {
            return Optional.empty();
        }
        return Optional.of(new HostPattern(server.host(), below, server.port()));
    }

    /** Whether the server of this URL is meant. The URL is one of http or https. */
    public boolean matches(String url) {
        Server server = serverOf(url);
        return server != null && isNamed(server.host()) && isPort(server, url);
    }

    /** As {@link #matches}, or below the host, or, if no port is named, on any port. */
    public boolean touches(String url) {
        Server server = serverOf(url);
        return server == null
                || (isNamed(server.host()) || server.host().endsWith("." + host))
                        && (port == 0 || isPort(server, url));
    }

    /** Host and port of a URL, for sets of servers; the usual ports are left out. */
    public static String server(String url) {
        Server server = serverOf(url);
        return server == null ? url : server.host() + ":" + server.port();
    }

    private boolean isPort(Server server, String url) {
        return port == server.port() || server.port() == 0 && port == usualPort(url);
    }

    private boolean isNamed(String name) {
        return below ? name.endsWith("." + host) : name.equals(host);
    }

    /** Null for what is no such URL, or tells a user before the host. */
    private static @Nullable Server serverOf(String url) {
        int usual = usualPort(url);
        if (usual == 0) {
            return null;
        }
        int from = url.indexOf("://") + 3;
        int to = from;
        while (to < url.length() && "/?#\\".indexOf(url.charAt(to)) < 0) {
            to++;
        }
        Server server = Server.of(url.substring(from, to));
        return server != null && server.port() == usual ? new Server(server.host(), 0) : server;
    }

    /** 0 for what is neither http nor https. */
    private static int usualPort(String url) {
        return url.startsWith("http://") ? 80 : url.startsWith("https://") ? 443 : 0;
    }

    /** A host and its port, 0 if none is named. */
    private record Server(String host, int port) {
        private static final int MAX_PORT = 65_535;

        static @Nullable Server of(String text) {
            int colon = text.lastIndexOf(':');
            boolean hasPort = colon > text.lastIndexOf(']') && colon >= 0;
            int port = hasPort ? port(text.substring(colon + 1)) : 0;
            String host = name(hasPort ? text.substring(0, colon) : text);
            return host == null || port < 0 ? null : new Server(host, port);
        }

        private static int port(String digits) {
            if (!digits.matches("\\d{1,5}")) {
                return -1;
            }
            int port = Integer.parseInt(digits);
            return port < 1 || port > MAX_PORT ? -1 : port;
        }

        boolean isLiteral() {
            return host.startsWith("[") || host.matches("[\\d.]+");
        }

        private static @Nullable String name(String host) {
            try {
                if (host.startsWith("[") && host.endsWith("]")) {
                    String literal = host.substring(1, host.length() - 1);
                    return "[" + InetAddress.ofLiteral(literal).getHostAddress() + "]";
                }
                String ascii = IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
                String bare = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
                return bare.matches("[a-z0-9_-]+(\\.[a-z0-9_-]+)*") ? bare : null;
            } catch (IllegalArgumentException e) { // no literal, or no name of the net
                return null;
            }
        }
    }
}
