package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sockets of the loopback on which commands of a run listen: no command may connect to any other,
 * for example to a database of the user's.
 */
public final class LoopbackServers {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
    private static final int LOCAL = 1; // columns of these tables
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENS = "0A";
    private static final int MANY = 1_000; // sockets; then those that have gone are forgotten

    private final Set<String> inodes = new HashSet<>();

    /** A socket that listens: what the kernel's tables say of it. */
    private record Listener(SocketAddress address, String inode) {}

    /**
     * A command listens with this socket now.
     *
     * @param inode number of the socket, which no other one has at the same time
     */
    synchronized void add(String inode) {
        if (inodes.size() >= MANY) {
            Set<String> alive = new HashSet<>();
            listeners().forEach(listener -> alive.add(listener.inode()));
            inodes.retainAll(alive);
        }
        if (inodes.size() < MANY) {
            inodes.add(inode);
        }
    }

    /**
     * Whether commands of the run listen there now, and nobody else: another program may have the
     * port since, or share it (SO_REUSEPORT).
     */
    synchronized boolean has(SocketAddress address) {
        List<Listener> there =
                listeners().stream()
                        .filter(listener -> listener.address().isSamePlace(address))
                        .toList();
        return !there.isEmpty()
                && there.stream().allMatch(listener -> inodes.contains(listener.inode()));
    }

    private static List<Listener> listeners() {
        List<Listener> found = new ArrayList<>();
        for (Path table : TABLES) {
            for (String line : lines(table)) {
                String[] columns = line.strip().split("\\s+");
                if (columns.length > INODE && columns[STATE].equals(LISTENS)) {
                    address(columns[LOCAL])
                            .ifPresent(address -> found.add(new Listener(address, columns[INODE])));
                }
            }
        }
        return found;
    }

    private static List<String> lines(Path table) {
        try {
            return Files.readAllLines(table);
        } catch (IOException e) {
            return List.of(); // no IPv6 on this machine, or nothing that could be known
        }
    }

    /** As in {@code 0100007F:1F90}: words of four bytes, the last byte first, and the port. */
    private static Optional<SocketAddress> address(String column) {
        int colon = column.indexOf(':');
        byte[] host = HexFormat.of().parseHex(column.substring(0, colon));
        int port = Integer.parseInt(column.substring(colon + 1), 16);
        boolean six = host.length > 4;
        byte[] bytes = new byte[six ? 28 : 16];
        bytes[0] = (byte) (six ? SocketAddress.INET6 : SocketAddress.INET);
        bytes[2] = (byte) (port >> 8);
        bytes[3] = (byte) port;
        for (int i = 0; i < host.length; i++) {
            bytes[(six ? 8 : 4) + i] = host[i / 4 * 4 + 3 - i % 4];
        }
        return SocketAddress.of(bytes);
    }
}
