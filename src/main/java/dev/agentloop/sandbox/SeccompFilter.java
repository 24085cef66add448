package dev.agentloop.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The system call filter of sandboxed processes, as the kernel reads it: classic BPF over {@code
 * struct seccomp_data} (linux/seccomp.h). It closes what mounts and namespaces leave open: sockets
 * of the host that are files, new user namespaces, other processes, and rarely used parts of the
 * kernel. What is refused fails with EPERM, so that programs go on without it.
 */
public final class SeccompFilter {
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;

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

    private static final int CLONE3 = 435; // on all machines
    private static final int NEW_NAMESPACES = 0x7e020000; // CLONE_NEWNS | NEWCGROUP | … | NEWNET
    private static final int DATAGRAM = 2; // may be sent to any address, also from a pair
    private static final int TYPE_MASK = 0xf;
    private static final int PUSH_INPUT = 0x5412; // TIOCSTI: types into the terminal
    private static final int CONSOLE = 0x541c; // TIOCLINUX: pastes into the console

    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int NETLINK = 16; // interfaces are listed with it; private without network

    /** Which sockets may be made; local sockets (AF_UNIX) never, pairs of them always. */
    public enum Sockets {
        INTERNET(INET, INET6, NETLINK),
        NONE();

        private final int[] families;

        Sockets(int... families) {
            this.families = families;
        }
    }

    private final Machine machine;
    private final List<int[]> code = new ArrayList<>(); // operation, value, jump if so, jump if not

    private SeccompFilter(Machine machine) {
        this.machine = machine;
    }

    /** The numbers of a machine's system calls. */
    private record Machine(
            int audit,
            int x32,
            Map<String, Integer> denied,
            int fork,
            int socket,
            int socketpair,
            int ioctl) {}

    /**
     * The filter for a machine, as {@code os.arch} names it; empty for one whose numbers we do not
     * know.
     */
    public static Optional<byte[]> of(String arch, Sockets sockets) {
        return switch (arch) {
            case "amd64", "x86_64" -> Optional.of(new SeccompFilter(x86()).assemble(sockets));
            case "aarch64", "arm64" -> Optional.of(new SeccompFilter(arm()).assemble(sockets));
            default -> Optional.empty();
        };
    }

    private byte[] assemble(Sockets sockets) {
        List<Integer> toDeny = new ArrayList<>(); // instructions that jump there, filled in below
        add(LOAD, ARCHITECTURE);
        add(EQUAL, machine.audit, 1, 0);
        add(RETURN, EPERM); // 32-bit programs have other numbers: none of theirs is let through
        add(LOAD, NUMBER);
        if (machine.x32 != 0) {
            toDeny.add(add(AT_LEAST, machine.x32, 0, 0));
        }
        for (int number : machine.denied.values()) {
            toDeny.add(add(EQUAL, number, 0, 0));
        }
        add(EQUAL, CLONE3, 0, 1);
        add(RETURN, ENOSYS); // its flags are out of reach; libraries then use clone
        look(machine.fork, FIRST_ARGUMENT, () -> toDeny.add(add(ANY_BIT, NEW_NAMESPACES, 0, 0)));
        look(
                machine.socketpair,
                SECOND_ARGUMENT,
                () -> {
                    add(AND, TYPE_MASK);
                    toDeny.add(add(EQUAL, DATAGRAM, 0, 0));
                });
        look(
                machine.ioctl,
                SECOND_ARGUMENT,
                () -> {
                    toDeny.add(add(EQUAL, PUSH_INPUT, 0, 0));
                    toDeny.add(add(EQUAL, CONSOLE, 0, 0));
                });
        sockets(sockets);
        add(RETURN, ALLOW);
        int deny = add(RETURN, EPERM, 0, 0);
        toDeny.forEach(from -> code.get(from)[2] = deny - from - 1);
        return bytes();
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
        int skip = add(EQUAL, machine.socket, 0, 0);
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

    /** Numbers of both machines: those above 423 are the same everywhere. */
    private static Map<String, Integer> common() {
        Map<String, Integer> calls = new LinkedHashMap<>();
        calls.put("io_uring_setup", 425);
        calls.put("io_uring_enter", 426);
        calls.put("io_uring_register", 427);
        calls.put("open_tree", 428);
        calls.put("move_mount", 429);
        calls.put("fsopen", 430);
        calls.put("fsconfig", 431);
        calls.put("fsmount", 432);
        calls.put("fspick", 433);
        calls.put("pidfd_getfd", 438);
        calls.put("mount_setattr", 442);
        return calls;
    }

    /** From asm/unistd_64.h. */
    private static Machine x86() {
        Map<String, Integer> denied = common();
        denied.put("ptrace", 101);
        denied.put("syslog", 103);
        denied.put("pivot_root", 155);
        denied.put("acct", 163);
        denied.put("mount", 165);
        denied.put("umount2", 166);
        denied.put("swapon", 167);
        denied.put("swapoff", 168);
        denied.put("reboot", 169);
        denied.put("init_module", 175);
        denied.put("delete_module", 176);
        denied.put("kexec_load", 246);
        denied.put("add_key", 248);
        denied.put("request_key", 249);
        denied.put("keyctl", 250);
        denied.put("unshare", 272);
        denied.put("perf_event_open", 298);
        denied.put("open_by_handle_at", 304);
        denied.put("setns", 308);
        denied.put("process_vm_readv", 310);
        denied.put("process_vm_writev", 311);
        denied.put("kcmp", 312);
        denied.put("finit_module", 313);
        denied.put("kexec_file_load", 320);
        denied.put("bpf", 321);
        denied.put("userfaultfd", 323);
        return new Machine(0xc000003e, 0x40000000, denied, 56, 41, 53, 16);
    }

    /** From asm-generic/unistd.h. */
    private static Machine arm() {
        Map<String, Integer> denied = common();
        denied.put("umount2", 39);
        denied.put("mount", 40);
        denied.put("pivot_root", 41);
        denied.put("acct", 89);
        denied.put("unshare", 97);
        denied.put("kexec_load", 104);
        denied.put("init_module", 105);
        denied.put("delete_module", 106);
        denied.put("syslog", 116);
        denied.put("ptrace", 117);
        denied.put("reboot", 142);
        denied.put("add_key", 217);
        denied.put("request_key", 218);
        denied.put("keyctl", 219);
        denied.put("swapon", 224);
        denied.put("swapoff", 225);
        denied.put("perf_event_open", 241);
        denied.put("open_by_handle_at", 265);
        denied.put("setns", 268);
        denied.put("process_vm_readv", 270);
        denied.put("process_vm_writev", 271);
        denied.put("kcmp", 272);
        denied.put("finit_module", 273);
        denied.put("bpf", 280);
        denied.put("userfaultfd", 282);
        denied.put("kexec_file_load", 294);
        return new Machine(0xc00000b7, 0, denied, 220, 198, 199, 29);
    }
}
