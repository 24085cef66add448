package dev.agentloop.config.catalog;

import dev.agentloop.config.source.ConfigException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** What a base URL says about where its server is. */
final class Hosts {
    private Hosts() {}

    /** By the written name or address only; nothing is resolved. */
    static boolean isLoopback(URI url) {
        String host = url.getHost();
        return host != null
                && (host.equalsIgnoreCase("localhost")
                        || host.equals("[::1]")
                        || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}"));
    }

    /** Whether both name the same host; their ports and paths do not matter. */
    static boolean areSame(URI one, URI other) {
        return one.getHost() != null && one.getHost().equalsIgnoreCase(other.getHost());
    }

    /** Whether a key for one server may go to the other: its host and port, and not unencrypted. */
    static boolean areOneServer(URI one, URI other) {
        return areSame(one, other)
                && port(one) == port(other)
                && ("https".equalsIgnoreCase(other.getScheme())
                        || !"https".equalsIgnoreCase(one.getScheme()));
    }

    private static int port(URI url) {
        boolean tls = "https".equalsIgnoreCase(url.getScheme());
        return url.getPort() >= 0 ? url.getPort() : tls ? 443 : 80;
    }

    /** Whether both hosts are of one owner: the same, or below one domain as {@code x.ai}. */
    static boolean areRelated(URI one, URI other) {
        return areSame(one, other) || !domain(one).isEmpty() && domain(one).equals(domain(other));
    }

    /** The last two labels of a name; empty for an address. */
    private static String domain(URI url) {
        String host = String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
        int last = host.lastIndexOf('.');
        boolean name = last > 0 && Character.isLetter(host.charAt(host.length() - 1));
        return name ? host.substring(host.lastIndexOf('.', last - 1) + 1) : "";
    }

    /** A host without a user; names with an underscore are no hosts to URI, but to a resolver. */
    private static boolean hasPlainAuthority(URI url) {
        String authority = url.getRawAuthority();
        return authority != null && !authority.startsWith(":") && !authority.contains("@");
    }

    /**
     * @param variable where the text comes from; the text itself is not shown, it may hold a
     *     password
     */
    static URI webAddress(String text, String variable) {
        try {
            URI url = new URI(text);
            boolean web =
                    "http".equalsIgnoreCase(url.getScheme())
                            || "https".equalsIgnoreCase(url.getScheme());
            if (web && hasPlainAuthority(url)) {
                return url;
            }
        } catch (URISyntaxException e) {
            // told below
        }
        throw new ConfigException(
                "",
                "is not a web address",
                "Allowed: an http or https address without user and password.",
                variable);
    }
}
