package dev.agentloop.web;

import dev.agentloop.llm.http.IpNetwork;
import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * Tells addresses of the public internet from all others: this machine, its own net, the net of a
 * cloud's metadata, multicast, documentation, and whatever the registries of IANA keep for special
 * use. Of IPv6 only what is given out to the public counts, so translations such as NAT64 do not.
 */
public final class PublicAddress {
    /** IANA's registry of special addresses, and Azure's metadata server, which is in no such. */
    private static final String[] SPECIAL = {
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "168.63.129.16/32",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
    };

    private static final String GLOBAL_IPV6 = "2000::/3";

    private PublicAddress() {}

    /** Whether it is one. */
    public static boolean is(InetAddress address) {
        for (String network : SPECIAL) {
            if (IpNetwork.contains(network, address)) {
                return false;
            }
        }
        return !(address instanceof Inet6Address) || IpNetwork.contains(GLOBAL_IPV6, address);
    }
}
