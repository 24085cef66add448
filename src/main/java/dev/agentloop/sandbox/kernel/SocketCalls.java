package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The calls by which a sandboxed process serves and connects, made in its place with a copy of its
 * socket and of the address that was judged. It gets the loopback, whatever it asks for, and
 * reaches nothing but what commands of the same run serve there. Sockets of another kind are never
 * made, see {@link SeccompFilter.Sockets#LOOPBACK}.
 */
final class SocketCalls {
    private static final int EPERM = 1;
    private static final int EFAULT = 14;
    private static final int EINVAL = 22;
    private static final int EAFNOSUPPORT = 97;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENETUNREACH = 101;
    private static final int ECONNREFUSED = 111;

    private static final int PIDFD_OPEN = 434; // on all machines
    private static final int PIDFD_GETFD = 438;
    private static final long READ = 0x80000; // O_RDONLY | O_CLOEXEC
    private static final int HERE = -100; // AT_FDCWD
    private static final int LONGEST = 128; // bytes of an address
    private static final int SOCKET = 1; // levels and names of options
    private static final int PATIENCE = 21; // SO_SNDTIMEO, which connect(2) keeps to
    private static final int IPV6 = 41;
    private static final int ONLY_SIX = 26;
    private static final int TIME = 16; // bytes of a struct timeval

    private final SystemCalls kernel;
    private final boolean onX86;
    private final LoopbackServers servers;
    private final MemorySegment address;
    private final MemorySegment size;
    private final MemorySegment path;
    private final MemorySegment before;
    private final MemorySegment second;

    SocketCalls(SystemCalls kernel, LoopbackServers servers) {
        this.kernel = kernel;
        this.onX86 = kernel.numbers().onX86();
        this.servers = servers;
        this.address = kernel.memory(LONGEST);
        this.size = kernel.memory(4);
        this.path = kernel.memory(LONGEST);
        this.before = kernel.memory(TIME);
        this.second = kernel.memory(TIME);
        second.set(ValueLayout.JAVA_LONG, 0, 1);
    }

    /**
     * @param isWaiting whether the thread still waits for this call: else its number may be
     *     another's by now
     * @return what the call would: zero, or an error with its sign changed
     */
    long make(SocketCall call, long[] a, int thread, BooleanSupplier isWaiting) {
        Optional<SocketAddress> asked = Optional.empty();
        if (call != SocketCall.LISTEN) {
            long length = a[2] & 0xffffffffL;
            if (length > LONGEST) {
                return -EINVAL;
            }
            if (!read(thread, a[1], (int) length)) {
                return -EFAULT;
            }
            asked = SocketAddress.of(bytes((int) length));
            if (asked.isEmpty()) {
                return -EPERM;
            }
        }
        long process = kernel.call(PIDFD_OPEN, processOf(thread), 0);
        if (process < 0) {
            return -EPERM;
        }
        try {
            long socket =
                    isWaiting.getAsBoolean() ? kernel.call(PIDFD_GETFD, process, a[0], 0) : -EPERM;
            if (socket < 0) {
                return socket;
            }
            try {
                return isWaiting.getAsBoolean() ? make(call, socket, asked, a[1]) : -EPERM;
            } finally {
                close(socket);
            }
        } finally {
            close(process);
        }
    }

    private long make(SocketCall call, long socket, Optional<SocketAddress> asked, long backlog) {
        Optional<SocketAddress> now = name(socket);
        if (now.isEmpty()) {
            return -EPERM; // no internet socket
        }
        int family = address.get(ValueLayout.JAVA_SHORT, 0);
        if (asked.isPresent() && asked.get().family() != family) {
            return -EAFNOSUPPORT;
        }
        return switch (call) {
            case BIND -> bind(socket, family, asked.orElseThrow());
            case CONNECT -> connect(socket, asked.orElseThrow());
            case LISTEN -> listen(socket, family, now.get(), backlog);
            default -> -EPERM;
        };
    }

    private long bind(long socket, int family, SocketAddress asked) {
        SocketAddress place =
                asked.onLoopback(family == SocketAddress.INET6 && takesOnlySix(socket));
        if (!place.isLoopback()) {
            return -EADDRNOTAVAIL;
        }
        return call(SocketCall.BIND, socket, address.address(), put(place.bytes()));
    }

    private long listen(long socket, int family, SocketAddress now, long backlog) {
        if (now.port() == 0) { // else the kernel would take a port of all addresses
            long bound = bind(socket, family, now);
            if (bound < 0) {
                return bound;
            }
        }
        Optional<SocketAddress> place = name(socket).filter(SocketAddress::isLoopback);
        if (place.isEmpty()) {
            return -EPERM;
        }
        long done = call(SocketCall.LISTEN, socket, backlog);
        if (done == 0) {
            inode(socket).ifPresent(servers::add);
        }
        return done;
    }

    /** Whoever listens may be too busy to answer; all other processes would wait, too. */
    private long connect(long socket, SocketAddress asked) {
        SocketAddress place = asked.onLoopback(asked.host().length() > 8);
        if (!place.isLoopback()) {
            return -ENETUNREACH;
        }
        if (!servers.has(place)) {
            return -ECONNREFUSED;
        }
        size.set(ValueLayout.JAVA_INT, 0, TIME);
        call(SocketCall.GET_OPTION, socket, SOCKET, PATIENCE, before.address(), size.address());
        call(SocketCall.SET_OPTION, socket, SOCKET, PATIENCE, second.address(), TIME);
        try {
            long length = put(place.bytes());
            return call(SocketCall.CONNECT, socket, address.address(), length);
        } finally {
            call(SocketCall.SET_OPTION, socket, SOCKET, PATIENCE, before.address(), TIME);
        }
    }

    private boolean takesOnlySix(long socket) {
        size.set(ValueLayout.JAVA_INT, 0, 4);
        long known =
                call(
                        SocketCall.GET_OPTION,
                        socket,
                        IPV6,
                        ONLY_SIX,
                        address.address(),
                        size.address());
        return known == 0 && address.get(ValueLayout.JAVA_INT, 0) != 0;
    }

    /** Where it is bound; empty if it is no internet socket. */
    private Optional<SocketAddress> name(long socket) {
        size.set(ValueLayout.JAVA_INT, 0, LONGEST);
        long known = call(SocketCall.NAME, socket, address.address(), size.address());
        return known < 0
                ? Optional.empty()
                : SocketAddress.of(bytes(Math.min(LONGEST, size.get(ValueLayout.JAVA_INT, 0))));
    }

    private static Optional<String> inode(long socket) {
        try {
            String link = Files.readSymbolicLink(Path.of("/proc/self/fd/" + socket)).toString();
            return Optional.of(link.replaceAll("\\D", "")); // socket:[4711]
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The process that a thread belongs to; a number that there is not if it has ended. */
    private static long processOf(int thread) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + thread + "/status"))) {
                if (line.startsWith("Tgid:")) {
                    return Long.parseLong(line.substring("Tgid:".length()).strip());
                }
            }
        } catch (IOException e) {
            return -1;
        }
        return -1;
    }

    private boolean read(int thread, long from, int length) {
        path.setString(0, "/proc/" + thread + "/mem");
        long memory = kernel.call(kernel.numbers().openat(), HERE, path.address(), READ, 0);
        if (memory < 0) {
            return false;
        }
        long read = kernel.call(kernel.numbers().pread(), memory, address.address(), length, from);
        close(memory);
        return read == length;
    }

    private long put(byte[] bytes) {
        MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return bytes.length;
    }

    private byte[] bytes(int length) {
        return address.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private long call(SocketCall call, long... arguments) {
        return kernel.call(call.number(onX86), arguments);
    }

    private void close(long file) {
        kernel.call(kernel.numbers().close(), file);
    }
}
