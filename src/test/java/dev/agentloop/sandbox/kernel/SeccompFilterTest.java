package dev.agentloop.sandbox.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.kernel.SeccompFilter.Sockets;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the filters as the kernel does; that a real kernel takes them is in BwrapSandboxTest. */
class SeccompFilterTest {
    private static final int X86 = 0xc000003e;
    private static final int ARM = 0xc00000b7;
    private static final int ALLOWED = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final int ASK = 0x7fc00000;

    @Tag("D71")
    @Tag("D73")
    @DisplayName("system calls that lead out of the sandbox, on both machines")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "local socket,        41, 198, 1, 1",
        "virtual machines,    41, 198, 40, 1",
        "raw packets,         41, 198, 17, 3",
        "kernel crypto,       41, 198, 38, 5",
        "pair of datagrams,   53, 199, 1, 2",
        "the same on exec,    53, 199, 1, 0x80802",
        "new user namespace,  56, 220, 0x10000011, 0",
        "new mounts,          56, 220, 0x20000, 0",
        "typing for the user, 16,  29, 0, 0x5412",
        "pasting for him,     16,  29, 0, 0x541c",
        "ptrace,             101, 117, 0, 0",
        "mount,              165,  40, 0, 0",
        "unshare,            272,  97, 0, 0",
        "setns,              308, 268, 0, 0",
        "keyctl,             250, 219, 0, 0",
        "bpf,                321, 280, 0, 0",
        "kexec_load,         246, 104, 0, 0",
        "io_uring_setup,     425, 425, 0, 0",
        "move_mount,         429, 429, 0, 0",
        "userfaultfd,        323, 282, 0, 0",
        "perf_event_open,    298, 241, 0, 0",
    })
    void whatLeadsOutIsRefused(String what, int x86, int arm, String first, String second) {
        assertEquals(EPERM, decide(X86, Sockets.INTERNET, x86, first, second), what);
        assertEquals(EPERM, decide(ARM, Sockets.INTERNET, arm, first, second), what);
    }

    @Tag("D73")
    @DisplayName("what builds and tests need goes on")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "IPv4 socket,          41, 198, 2, 1",
        "IPv6 socket,          41, 198, 10, 2",
        "list of interfaces,   41, 198, 16, 3",
        "pair of streams,      53, 199, 1, 1",
        "pair for exec,        53, 199, 1, 0x80001",
        "fork,                 56, 220, 0x01200011, 0",
        "thread,               56, 220, 0x003d0f00, 0",
        "vfork,                56, 220, 0x4111, 0",
        "terminal size,        16,  29, 1, 0x5413",
        "read,                  0,  63, 3, 0",
        "exec,                 59, 221, 0, 0",
    })
    void whatIsNeededIsAllowed(String what, int x86, int arm, String first, String second) {
        assertEquals(ALLOWED, decide(X86, Sockets.INTERNET, x86, first, second), what);
        assertEquals(ALLOWED, decide(ARM, Sockets.INTERNET, arm, first, second), what);
    }

    @Tag("D68")
    @DisplayName("no file gets a bit that lends its owner's rights, whatever makes it")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "chmod,            90,  -1, 0 04755 0 0",
        "chmod g+s,        90,  -1, 0 02755 0 0",
        "fchmod,           91,  52, 3 04755 0 0",
        "fchmodat,        268,  53, 0 0 06755 0",
        "fchmodat2,       452, 452, 0 0 04755 0",
        "creat,            85,  -1, 0 04755 0 0",
        "open,              2,  -1, 0 0x41 04755 0",
        "openat,          257,  56, 0 0 0x41 04755",
        "openat unnamed,  257,  56, 0 0 0x410000 04755",
        "mknod,           133,  -1, 0 0104755 0 0",
        "mknodat,         259,  33, 0 0 0104755 0",
    })
    void noFileLendsRights(String what, int x86, int arm, String arguments) {
        String[] harm = arguments.split(" ");
        String[] plain = harm.clone();
        for (int i = 0; i < 4; i++) {
            plain[i] = plain[i].replaceAll("^0(10)?[246]755$", "0$1755");
        }
        for (int audit : new int[] {X86, ARM}) {
            int call = audit == X86 ? x86 : arm;
            String arch = audit == X86 ? "amd64" : "aarch64";
            byte[] guarded = SeccompFilter.guarded(arch, Sockets.NONE).orElseThrow();
            if (call >= 0) {
                assertEquals(EPERM, decide(audit, filter(arch, Sockets.NONE), call, harm), what);
                assertEquals(EPERM, decide(audit, guarded, call, harm), what);
                assertEquals(ALLOWED, decide(audit, filter(arch, Sockets.NONE), call, plain), what);
                assertEquals(
                        what.contains("chmod") ? ASK : ALLOWED,
                        decide(audit, guarded, call, plain),
                        what);
            }
        }
    }

    @Test
    @Tag("D68")
    @DisplayName("the mode of an open that makes nothing is whatever was in the register")
    void openWithoutMaking() {
        assertEquals(ALLOWED, decide(X86, filter("amd64", Sockets.NONE), 257, "0", "0", "0", "-1"));
        assertEquals(ENOSYS, decide(X86, Sockets.NONE, 437, "0", "0"));
    }

    @Tag("D68")
    @DisplayName("what changes files and processes outside without opening them")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "owner,                    92,  54, 0 0, 0x7fc00000",
        "times,                   280,  88, 0 0, 0x7fc00000",
        "length,                   76,  45, 0 0, 0x7fc00000",
        "attribute,               188,   5, 0 0, 0x0005005f",
        "attribute at,            463, 463, 0 0, 0x0005005f",
        "flags,                    16,  29, 3 0x40086602, 0x00050001",
        "shared memory,            30, 196, 1 0, 0x00050026",
        "message queue,           240, 180, 0 0, 0x00050026",
        "limits of another,       302, 261, 77 3, 0x00050001",
        "its own limits,          302, 261, 0 3, 0x7fff0000",
        "processors of another,   203, 122, 77 3, 0x00050001",
        "its own processors,      203, 122, 0 3, 0x7fff0000",
        "priority of another,     141, 140, 0 77, 0x00050001",
        "priority of a user,      141, 140, 2 0, 0x00050001",
        "its own priority,        141, 140, 0 0, 0x7fff0000",
        "input priority of all,   251,  30, 3 0, 0x00050001",
        "its own input priority,  251,  30, 1 0, 0x7fff0000",
    })
    void whatNoMountsConfine(String what, int x86, int arm, String arguments, int expected) {
        String[] given = arguments.split(" ");
        byte[] intel = SeccompFilter.guarded("amd64", Sockets.NONE).orElseThrow();
        byte[] other = SeccompFilter.guarded("aarch64", Sockets.NONE).orElseThrow();

        assertEquals(expected, decide(X86, intel, x86, given), what);
        assertEquals(expected, decide(ARM, other, arm, given), what);
    }

    @Tag("D68")
    @DisplayName("orders to a file system need no descriptor that is open for writing")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "flags,                           0x40086602",
        "flags of 32 bits,                0x40046602",
        "generation,                      0x40087602",
        "generation of 32 bits,           0x40047602",
        "generation with a high bit set,  0x100000040087602",
        "generation with a sign,          0xffffffff40087602",
        "ext4's own generation,           0x40086604",
        "ext4: a group is added,          0x40086608",
        "ext4: blocks move to extents,    0x00006609",
        "ext4: extents change places,     0xc028660f",
        "ext4: the file system grows,     0x40086610",
        "ext4: swapped with the boot,     0x00006611",
        "more flags,                      0x401c5820",
        "more flags with a high bit set,  0x1401c5820",
        "frozen,                          0xc0045877",
        "thawed,                          0xc0045878",
        "trimmed,                         0xc0185879",
        "shut down,                       0x8004587d",
        "verity,                          0x40806685",
        "encrypted,                       0x800c6613",
        "a key is added,                  0xc0506617",
        "a key is taken away,             0xc0406618",
        "a key is taken from all,         0xc0406619",
        "label,                           0x41009432",
        "blocks shared with another's,    0xc0189436",
        "btrfs: a subvolume,              0x5000940e",
        "btrfs: a subvolume newer,        0x50009418",
        "btrfs: a snapshot,               0x50009401",
        "btrfs: a snapshot newer,         0x50009417",
        "btrfs: one is removed,           0x5000940f",
        "btrfs: one is removed newer,     0x5000943f",
        "btrfs: flags of a subvolume,     0x4008941a",
        "btrfs: received,                 0xc0c89425",
        "btrfs: default,                  0x40089413",
        "btrfs: defragmented,             0x50009402",
        "xfs: exchanged,                  0xc0c0586d",
        "f2fs: pinned,                    0x4004f50d",
        "ocfs2: a copy,                   0x40186f04",
        "ceph: layout,                    0x40289702",
        "bcachefs: attributes inherited,  0x8008bc40",
        "fat: attributes,                 0x40047211",
    })
    void ordersToAFileSystem(String what, String order) {
        String[] given = {"3", order};

        assertEquals(EPERM, decide(X86, guarded("amd64"), 16, given), what);
        assertEquals(EPERM, decide(ARM, guarded("aarch64"), 29, given), what);
    }

    @Tag("D68")
    @DisplayName("what only asks a file system goes on, and so do terminals and copies")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "flags,                       0x80086601",
        "flags of 32 bits,            0x80046601",
        "generation,                  0x80087601",
        "more flags,                  0x801c581f",
        "extents,                     0xc020660b",
        "label,                       0x81009431",
        "verity,                      0xc0046686",
        "encryption,                  0xc0096616",
        "btrfs: of a subvolume,       0x81f8943c",
        "fat: attributes,             0x80047210",
        "a copy that shares blocks,   0x40049409",
        "one of a part,               0x4020940d",
        "size of a terminal,          0x5413",
        "its settings,                0x5401",
        "its settings are changed,    0x5402",
        "its settings with speed,     0x402c542b",
        "a new terminal,              0x80045430",
        "its foreground,              0x5410",
        "its session,                 0x540e",
        "what can be read,            0x541b",
        "closed on exec,              0x5451",
        "does not wait,               0x5421",
        "block size,                  2",
    })
    void questionsToAFileSystem(String what, String order) {
        String[] given = {"3", order};

        assertEquals(ALLOWED, decide(X86, guarded("amd64"), 16, given), what);
        assertEquals(ALLOWED, decide(ARM, guarded("aarch64"), 29, given), what);
    }

    @Test
    @Tag("D71")
    @DisplayName("mounts do not confine the keys of encrypted folders, so no sandbox has them")
    void keysOfEncryptedFolders() {
        for (String order : new String[] {"0xc0506617", "0xc0406618", "0xc0406619"}) {
            assertEquals(EPERM, decide(X86, Sockets.INTERNET, 16, "3", order), order);
            assertEquals(EPERM, decide(ARM, Sockets.INTERNET, 29, "3", order), order);
        }
        assertEquals(ALLOWED, decide(X86, Sockets.INTERNET, 16, "3", "0x40086602")); // as chattr
    }

    @Test
    @Tag("D73")
    @DisplayName("without the network there is no socket of any kind, but pairs")
    void noSocketAtAll() {
        for (String family : new String[] {"1", "2", "10", "16", "17"}) {
            assertEquals(EPERM, decide(X86, Sockets.NONE, 41, family, "1"), family);
        }
        assertEquals(ALLOWED, decide(X86, Sockets.NONE, 53, "1", "1"));
    }

    @Test
    @Tag("D71")
    @DisplayName("numbers of another machine, and of its 32-bit side, are not mistaken")
    void otherNumbersAreRefused() {
        assertEquals(EPERM, decide(0x40000003, filter("amd64", Sockets.INTERNET), 3, "0", "0"));
        assertEquals(EPERM, decide(X86, Sockets.INTERNET, 0x40000000 | 59, "0", "0"));
        assertEquals(ENOSYS, decide(X86, Sockets.INTERNET, 435, "0", "0"));
        assertEquals(Optional.empty(), SeccompFilter.of("riscv64", Sockets.NONE));
    }

    private static int decide(int audit, Sockets sockets, int call, String first, String second) {
        return decide(
                audit, filter(audit == X86 ? "amd64" : "aarch64", sockets), call, first, second);
    }

    private static byte[] guarded(String arch) {
        return SeccompFilter.guarded(arch, Sockets.NONE).orElseThrow();
    }

    private static byte[] filter(String arch, Sockets sockets) {
        return SeccompFilter.of(arch, sockets).orElseThrow();
    }

    /** Also one that fills all 64 bits, as registers hold it. */
    private static long number(String text) {
        return text.startsWith("0x")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Long.decode(text);
    }

    /** The few instructions of classic BPF that filters use. */
    private static int decide(int audit, byte[] filter, int call, String... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(call).putInt(audit).putLong(0);
        for (String argument : arguments) {
            data.putLong(number(argument));
        }
        ByteBuffer code = ByteBuffer.wrap(filter).order(ByteOrder.LITTLE_ENDIAN);
        int a = 0;
        int at = 0;
        while (true) {
            int operation = code.getShort(at * 8);
            int ifSo = code.get(at * 8 + 2) & 0xff;
            int ifNot = code.get(at * 8 + 3) & 0xff;
            int k = code.getInt(at * 8 + 4);
            at++;
            switch (operation) {
                case 0x20 -> a = data.getInt(k);
                case 0x54 -> a &= k;
                case 0x15 -> at += a == k ? ifSo : ifNot;
                case 0x35 -> at += Integer.compareUnsigned(a, k) >= 0 ? ifSo : ifNot;
                case 0x45 -> at += (a & k) != 0 ? ifSo : ifNot;
                case 0x06 -> {
                    return k;
                }
                default -> throw new IllegalStateException("operation " + operation);
            }
            assertTrue(at * 8 < filter.length, "past the end");
        }
    }
}
