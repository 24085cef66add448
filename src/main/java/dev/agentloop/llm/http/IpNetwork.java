package dev.agentloop.llm.http;

import java.net.InetAddress;

/** Addresses that share their first bits, written {@code 10.0.0.0/8} or {@code 2001:db8::/32}. */
public final class IpNetwork {
    private IpNetwork() {}

    /** Whether the address is in the network; in something that is no network there is none. */
    public static boolean contains(String network, InetAddress address) {
        int slash = network.indexOf('/');
        InetAddress base = slash < 0 ? null : EnvProxies.bareLiteral(network.substring(0, slash));
        if (base == null || base.getAddress().length != address.getAddress().length) {
            return false;
        }
        int bits;
        try {
            bits = Integer.parseInt(network.substring(slash + 1));
        } catch (NumberFormatException e) {
            return false;
        }
        byte[] one = base.getAddress();
        byte[] other = address.getAddress();
        for (int bit = 0; bit < bits && bit < 8 * one.length; bit++) {
            if (((one[bit / 8] ^ other[bit / 8]) & 0x80 >> bit % 8) != 0) {
                return false;
            }
        }
        return true;
    }
}
