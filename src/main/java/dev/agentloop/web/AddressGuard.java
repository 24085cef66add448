package dev.agentloop.web;

import dev.agentloop.tool.ToolException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Dns;
import okhttp3.HttpUrl;

/**
 * Looks a server up once and lets only what it found be connected to: a name that answers something
 * else a moment later gains nothing. Servers must be public unless the person named them.
 */
final class AddressGuard {
    private final WebNetwork network;

    AddressGuard(WebNetwork network) {
        this.network = network;
    }

    /** Names as the connections for {@code url} may look them up; throws if it is off limits. */
    Dns check(HttpUrl url) throws ToolException {
        if (isNamed(url)) {
            return network.names();
        }
        List<InetAddress> found = lookup(url.host());
        for (InetAddress address : found) {
            if (!PublicAddress.is(address)) {
                throw ToolException.denied(
                        ("Not allowed: %s is at %s, which is no public address. Only the person can"
                                        + " allow it: tools.web_private_hosts: [\"%s\"] in the"
                                        + " configuration.")
                                .formatted(url.host(), address.getHostAddress(), shown(url)));
            }
        }
        // a proxy has a name of its own, and the person chose it
        return host -> host.equals(url.host()) ? found : network.names().lookup(host);
    }

    private boolean isNamed(HttpUrl url) {
        String text = url.toString();
        return network.privateHosts().stream().anyMatch(host -> host.matches(text));
    }

    private List<InetAddress> lookup(String host) throws ToolException {
        try {
            List<InetAddress> found = network.names().lookup(host);
            if (!found.isEmpty()) {
                return found;
            }
        } catch (UnknownHostException | IllegalArgumentException e) {
            // the same trouble: there is no address that could be judged
        }
        throw ToolException.error(
                "Cannot resolve "
                        + host
                        + ", so it is not fetched: nobody can tell whether it is public. Check the"
                        + " name; behind a proxy that alone resolves names, the person can add it"
                        + " to tools.web_private_hosts.");
    }

    /** As it is written in the configuration: the port only where it is not the usual one. */
    private static String shown(HttpUrl url) {
        String host = url.host().contains(":") ? "[" + url.host() + "]" : url.host();
        return url.port() == HttpUrl.defaultPort(url.scheme()) ? host : host + ":" + url.port();
    }
}
