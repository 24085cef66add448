package dev.agentloop.sandbox.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The system call filter of sandboxed processes, as the kernel reads it: classic BPF over {@code
 * struct seccomp_data} (linux/seccomp.h). It closes what mounts and namespaces leave open: sockets
 * of the host that are files, new user namespaces, other processes, and rarely used parts of the
 * kernel. What is refused fails with EPERM, or as on a kernel without it, so that programs go on
 * without it.
 */
public final class SeccompFilter {
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final int NOT_SUPPORTED = 0x0005005f;
    private static final int ASK = 0x7fc00000; // the guard, see CallGuard

    private static final int LOAD = 0x20; // a 32-bit word of seccomp_data
    private static final int AND = 0x54;
    private static final int EQUAL = 0x15;
    private static final int AT_LEAST = 0x35;
    private static final int ANY_BIT = 0x45;
    private static final int RETURN = 0x06;

    private static final int NUMBER = 0; // offsets in seccomp_data
    private static final int ARCHITECTURE = 4;
    private static final int FIRST_ARGUMENT = 16; // low half; both machines are little-endian
    private static final int SECOND_ARGUMENT = 24;
    private static final int THIRD_ARGUMENT = 32;
    private static final int FOURTH_ARGUMENT = 40;

    private static final int CLONE3 = 435; // on all machines
    private static final int OPENAT2 = 437;
    private static final int MAKES_FILE = 0x400040; // O_CREAT | O_TMPFILE without O_DIRECTORY
    private static final int SET_ID = 06000; // runs with the rights of the file's owner or group
    private static final int NEW_NAMESPACES = 0x7e020000; // CLONE_NEWNS | NEWCGROUP | … | NEWNET
    private static final int STREAM = 1;
    private static final int TCP = 6;
    private static final int FAST_OPEN = 0x20000000; // MSG_FASTOPEN connects while it sends
    private static final int PACKETS = 5; // SOCK_SEQPACKET
    private static final int TYPE_MASK = 0xf;
    private static final int PUSH_INPUT = 0x5412; // TIOCSTI: types into the terminal
    private static final int SET_OWNER = 0x8901; // FIOSETOWN, SIOCSPGRP: of a file's signals
    private static final int SET_OWNER_GROUP = 0x8902;
    private static final int SET_OWNER_OF_FILE = 8; // F_SETOWN: whom the kernel signals
    private static final List<Integer> SIGNAL_ORDERS =
            List.of(10, 15); // F_SETSIG, F_SETOWN_EX: which signal, and whom in another form
    private static final int PIDFD_SEND_SIGNAL = 424; // on all machines
    private static final int CONSOLE = 0x541c; // TIOCLINUX: pastes into the console

    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int NETLINK = 16; // interfaces are listed with it; private without network

    /** Which sockets may be made; local sockets (AF_UNIX) never, pairs of them always. */
    public enum Sockets {
        INTERNET(INET, INET6, NETLINK),
        /** Of TCP only, and a {@link CallGuard} decides where they are bound and lead. */
        LOOPBACK(INET, INET6),
        NONE();

        private final int[] families;

        Sockets(int... families) {
            this.families = families;
        }
    }

    private final Machine machine;
    private final boolean guarded;
    private final List<int[]> code = new ArrayList<>(); // operation, value, jump if so, jump if not

    private SeccompFilter(Machine machine, boolean guarded) {
        this.machine = machine;
        this.guarded = guarded;
    }

    /**
     * The filter for a machine, as {@code os.arch} names it; empty for one whose numbers we do not
     * know.
     */
    public static Optional<byte[]> of(String arch, Sockets sockets) {
        return machine(arch).map(known -> new SeccompFilter(known, false).assemble(sockets));
    }

    /**
     * For processes that no mounts and namespaces confine: it closes as well what changes files
     * outside without opening them. Some of those calls are left to a {@link CallGuard}.
     */
    public static Optional<byte[]> guarded(String arch, Sockets sockets) {
        return machine(arch).map(known -> new SeccompFilter(known, true).assemble(sockets));
    }

    private static Optional<Machine> machine(String arch) {
        return switch (arch) {
            case "amd64", "x86_64" -> Optional.of(Machine.x86());
            case "aarch64", "arm64" -> Optional.of(Machine.arm());
            default -> Optional.empty();
        };
    }

    private byte[] assemble(Sockets sockets) {
        List<Integer> toDeny = new ArrayList<>(); // instructions that jump there, filled in below
        add(LOAD, ARCHITECTURE);
        add(EQUAL, machine.audit(), 1, 0);
        add(RETURN, EPERM); // 32-bit programs have other numbers: none of theirs is let through
        add(LOAD, NUMBER);
        orders();
        if (machine.x32() != 0) {
            toDeny.add(add(AT_LEAST, machine.x32(), 0, 0));
        }
        for (int number : machine.denied().values()) {
            toDeny.add(add(EQUAL, number, 0, 0));
        }
        add(EQUAL, CLONE3, 0, 1);
        add(RETURN, ENOSYS); // its flags are out of reach; libraries then use clone
        add(EQUAL, OPENAT2, 0, 1);
        add(RETURN, ENOSYS); // nor is the mode of its file; libraries then use openat
        modes(toDeny);
        arguments(toDeny);
        if (guarded) {
            unconfinedByMounts(toDeny);
        }
        if (sockets == Sockets.LOOPBACK) {
            connections(toDeny);
        }
        sockets(sockets);
        add(RETURN, ALLOW);
        int deny = add(RETURN, EPERM, 0, 0);
        toDeny.forEach(from -> code.get(from)[2] = deny - from - 1);
        return bytes();
    }

    /** Calls of which only some uses lead out. */
    private void arguments(List<Integer> toDeny) {
        look(machine.fork(), FIRST_ARGUMENT, () -> toDeny.add(add(ANY_BIT, NEW_NAMESPACES, 0, 0)));
        look(
                machine.socketpair(),
                SECOND_ARGUMENT,
                () -> {
                    add(AND, TYPE_MASK); // a socket of another type sends to any address
                    add(EQUAL, STREAM, 1, 0);
                    add(EQUAL, PACKETS, 0, 1);
                    add(RETURN, ALLOW);
                    add(RETURN, EPERM);
                });
    }

    /**
     * Orders to terminals and file systems. The filter reads 32 bits of the order, as the kernel
     * does. Its refusal is its own: from here the one at the end is too far for a jump.
     */
    private void orders() {
        int skip = add(EQUAL, machine.ioctl(), 0, 0);
        add(LOAD, SECOND_ARGUMENT);
        List<Integer> toRefuse = new ArrayList<>();
        List<Integer> toAllow = new ArrayList<>();
        toRefuse.add(add(EQUAL, PUSH_INPUT, 0, 0));
        toRefuse.add(add(EQUAL, CONSOLE, 0, 0));
        FileOrders.ofKeys().forEach(order -> toRefuse.add(add(EQUAL, order, 0, 0)));
        if (guarded) {
            toRefuse.add(add(EQUAL, SET_OWNER, 0, 0));
            toRefuse.add(add(EQUAL, SET_OWNER_GROUP, 0, 0));
            FileOrders.harmless().forEach(order -> toAllow.add(add(EQUAL, order, 0, 0)));
            add(AND, FileOrders.FAMILY);
            FileOrders.families().forEach(family -> toRefuse.add(add(EQUAL, family, 0, 0)));
        }
        int allow = add(RETURN, ALLOW, 0, 0);
        int refuse = add(RETURN, EPERM, 0, 0);
        toAllow.forEach(from -> code.get(from)[2] = allow - from - 1);
        toRefuse.forEach(from -> code.get(from)[2] = refuse - from - 1);
        code.get(skip)[3] = code.size() - skip - 1;
    }

    /** No file gets a bit that lends the rights of its owner to whoever runs it. */
    private void modes(List<Integer> toDeny) {
        machine.modes()
                .forEach((call, mode) -> {
                    int number = call.number(machine.onX86());
                    if (number >= 0) {
                        int skip = add(EQUAL, number, 0, 0);
                        add(LOAD, FIRST_ARGUMENT + 8 * mode);
                        toDeny.add(add(ANY_BIT, SET_ID, 0, 0));
                        add(RETURN, guarded ? ASK : ALLOW);
                        code.get(skip)[3] = code.size() - skip - 1;
                    }
                });
        for (Machine.Maker maker : machine.makers()) {
            int skip = add(EQUAL, maker.number(), 0, 0);
            if (maker.flags() >= 0) { // without the flag the mode is whatever was in the register
                add(LOAD, FIRST_ARGUMENT + 8 * maker.flags());
                add(ANY_BIT, MAKES_FILE, 1, 0);
                add(RETURN, ALLOW);
            }
            add(LOAD, FIRST_ARGUMENT + 8 * maker.mode());
            toDeny.add(add(ANY_BIT, SET_ID, 0, 0));
            add(RETURN, ALLOW);
            code.get(skip)[3] = code.size() - skip - 1;
        }
    }

    private void unconfinedByMounts(List<Integer> toDeny) {
        for (FileCall call : FileCall.values()) {
            int number = call.number(machine.onX86());
            if (number >= 0 && !machine.modes().containsKey(call)) {
                answer(number, ASK);
            }
        }
        for (SignalCall call : SignalCall.ofSignals()) {
            answer(call.number(machine.onX86()), ASK);
        }
        answer(PIDFD_SEND_SIGNAL, ENOSYS); // a thread's folder in /proc serves as a pidfd
        look(
                machine.fcntl(),
                SECOND_ARGUMENT,
                () -> {
                    SIGNAL_ORDERS.forEach(order -> toDeny.add(add(EQUAL, order, 0, 0)));
                    answer(SET_OWNER_OF_FILE, ASK);
                });
        machine.attributes().forEach(number -> answer(number, NOT_SUPPORTED));
        machine.sharedBetweenProcesses().forEach(number -> answer(number, ENOSYS));
        for (int call : machine.ofAnyProcess()) {
            look(call, FIRST_ARGUMENT, () -> toDeny.add(add(AT_LEAST, 1, 0, 0)));
        }
        machine.priorities()
                .forEach((call, process) ->
                        look(
                                call,
                                FIRST_ARGUMENT,
                                () -> {
                                    add(EQUAL, process, 1, 0);
                                    add(RETURN, EPERM); // of a group or of all of the user
                                    add(LOAD, SECOND_ARGUMENT);
                                    toDeny.add(add(AT_LEAST, 1, 0, 0));
                                }));
    }

    private void connections(List<Integer> toDeny) {
        for (SocketCall call : CallGuard.SOCKET_CALLS) {
            answer(call.number(machine.onX86()), ASK);
        }
        fastOpen(SocketCall.SEND_TO, FOURTH_ARGUMENT, toDeny);
        fastOpen(SocketCall.SEND_MESSAGE, THIRD_ARGUMENT, toDeny);
        fastOpen(SocketCall.SEND_MESSAGES, FOURTH_ARGUMENT, toDeny);
    }

    private void fastOpen(SocketCall call, int flags, List<Integer> toDeny) {
        look(call.number(machine.onX86()), flags, () -> toDeny.add(add(ANY_BIT, FAST_OPEN, 0, 0)));
    }

    private void answer(int call, int what) {
        add(EQUAL, call, 0, 1);
        add(RETURN, what);
    }

    /** Looks at one argument of a call; what is not jumped away from is allowed. */
    private void look(int call, int argument, Runnable tests) {
        int skip = add(EQUAL, call, 0, 0);
        add(LOAD, argument);
        tests.run();
        add(RETURN, ALLOW);
        code.get(skip)[3] = code.size() - skip - 1;
    }

    private void sockets(Sockets sockets) {
        int skip = add(EQUAL, machine.socket(), 0, 0);
        if (sockets == Sockets.LOOPBACK) {
            add(LOAD, SECOND_ARGUMENT);
            add(AND, TYPE_MASK);
            add(EQUAL, STREAM, 1, 0);
            add(RETURN, EPERM);
            add(LOAD, THIRD_ARGUMENT);
            add(EQUAL, 0, 2, 0);
            add(EQUAL, TCP, 1, 0);
            add(RETURN, EPERM);
        }
        add(LOAD, FIRST_ARGUMENT);
        for (int family : sockets.families) {
            add(EQUAL, family, 0, 1);
            add(RETURN, ALLOW);
        }
        add(RETURN, EPERM);
        code.get(skip)[3] = code.size() - skip - 1;
    }

    private void add(int operation, int value) {
        var _ = add(operation, value, 0, 0);
    }

    private int add(int operation, int value, int ifSo, int ifNot) {
        code.add(new int[] {operation, value, ifSo, ifNot});
        return code.size() - 1;
    }

    private byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(code.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int[] step : code) {
            if (step[2] > 255 || step[3] > 255) {
                throw new IllegalStateException("a jump is too long: " + code.size() + " steps");
            }
            out.putShort((short) step[0]).put((byte) step[2]).put((byte) step[3]).putInt(step[1]);
        }
        return out.array();
    }
}
