package dev.agentloop.sandbox.kernel;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Where a socket is bound or leads, of the kernel's {@code sockaddr_in} and {@code sockaddr_in6}.
 *
 * @param family of the socket that it is for
 * @param host in hexadecimal digits: 8 of IPv4, also where IPv6 wraps it, or else 32
 */
record SocketAddress(int family, String host, int port) {
    static final int INET = 2;
    static final int INET6 = 10;

    private static final int SIZE = 16; // bytes of an address of IPv4
    private static final int SIZE_6 = 24; // at least
    private static final byte[] WRAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
    private static final String ANY = "00000000";
    private static final String LOOPBACK = "7f000001";
    private static final String ANY_6 = "0".repeat(32);
    private static final String LOOPBACK_6 = "0".repeat(31) + "1";

    /** Empty if the bytes are no internet address. */
    static Optional<SocketAddress> of(byte[] bytes) {
        if (bytes.length < SIZE) {
            return Optional.empty();
        }
        int family = bytes[0] & 0xff | (bytes[1] & 0xff) << 8; // both machines are little-endian
        int port = (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
        if (family == INET) {
            return Optional.of(new SocketAddress(family, hex(bytes, 4, 8), port));
        }
        if (family != INET6 || bytes.length < SIZE_6) {
            return Optional.empty();
        }
        boolean wrapped = Arrays.equals(Arrays.copyOfRange(bytes, 8, 20), WRAPPED);
        return Optional.of(new SocketAddress(family, hex(bytes, wrapped ? 20 : 8, 24), port));
    }

    private static String hex(byte[] bytes, int from, int to) {
        return HexFormat.of().formatHex(bytes, from, to);
    }

    boolean isLoopback() {
        return host.equals(LOOPBACK_6) || host.length() == 8 && host.startsWith("7f");
    }

    private boolean isAny() {
        return host.equals(ANY) || host.equals(ANY_6);
    }

    /**
     * The loopback address that is meant by all addresses of the machine; others are as they are.
     *
     * @param onlySix whether the socket takes no connections of IPv4
     */
    SocketAddress onLoopback(boolean onlySix) {
        return isAny() ? new SocketAddress(family, onlySix ? LOOPBACK_6 : LOOPBACK, port) : this;
    }

    /** Whether both lead to the same place: a socket of IPv6 may have an address of IPv4. */
    boolean isSamePlace(SocketAddress other) {
        return host.equals(other.host) && port == other.port;
    }

    /** As the kernel reads it. */
    byte[] bytes() {
        byte[] address = HexFormat.of().parseHex(host);
        byte[] bytes = new byte[family == INET ? SIZE : SIZE_6 + 4];
        bytes[0] = (byte) family;
        bytes[2] = (byte) (port >> 8);
        bytes[3] = (byte) port;
        if (family == INET) {
            System.arraycopy(address, 0, bytes, 4, 4);
        } else {
            int at = SIZE_6 - address.length;
            if (address.length == 4) {
                System.arraycopy(WRAPPED, 0, bytes, 8, WRAPPED.length);
            }
            System.arraycopy(address, 0, bytes, at, address.length);
        }
        return bytes;
    }
}
