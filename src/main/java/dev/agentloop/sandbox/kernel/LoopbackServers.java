package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sockets of the loopback on which commands of a run listen: no command may connect to any other,
 * for example to a database of the user's.
 */
public final class LoopbackServers {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
    private static final int STATE = 3; // columns of these tables
    private static final int INODE = 9;
    private static final String LISTENS = "0A";

    private final Map<SocketAddress, String> inodes = new HashMap<>();

    /**
     * @param inode number of the socket, which no other one gets while the machine runs
     */
    synchronized void add(SocketAddress address, String inode) {
        inodes.put(address, inode);
    }

    /** Whether a command of the run listens there now: another program may have the port since. */
    synchronized boolean has(SocketAddress address) {
        String inode = inodes.get(address);
        return inode != null && TABLES.stream().anyMatch(table -> listens(table, inode));
    }

    private static boolean listens(Path table, String inode) {
        try {
            for (String line : Files.readAllLines(table)) {
                String[] columns = line.strip().split("\\s+");
                if (columns.length > INODE
                        && columns[INODE].equals(inode)
                        && columns[STATE].equals(LISTENS)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false; // no IPv6 on this machine, or nothing that could be known
        }
    }
}
