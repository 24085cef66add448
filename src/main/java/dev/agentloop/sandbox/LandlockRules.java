package dev.agentloop.sandbox;

import dev.agentloop.sandbox.home.HomeView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a confined thread may still do, told to the kernel with Landlock (linux/landlock.h). Rules
 * only add rights: to hide a folder, all its neighbours are allowed one by one.
 */
final class LandlockRules {
    private static final int CREATE_RULESET = 444;
    private static final int ADD_RULE = 445;
    private static final int RESTRICT_SELF = 446;
    private static final int VERSION = 1; // flag of CREATE_RULESET
    private static final int PATH_BENEATH = 1;

    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long MAKE_CHAR = 1 << 6;
    private static final long MAKE_BLOCK = 1 << 11;
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEV = 1 << 15;
    private static final long TCP = 3; // bind and connect
    private static final long SCOPES = 3; // abstract sockets and signals

    private static final int SET_SECCOMP = 22; // of prctl
    private static final int DROP_FROM_BOUNDING_SET = 24;
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int SECCOMP_FILTER = 2;
    private static final int CAPABILITIES = 64; // more than any kernel has
    private static final int CAPABILITY_VERSION = 0x20080522;

    private static final long AT_FDCWD = -100;
    private static final long OPEN_PATH = 0x280000; // O_PATH | O_CLOEXEC

    private static final Path ROOT = Path.of("/");
    private static final Path DEVICES = Path.of("/dev");
    private static final List<String> USUAL_DEVICES =
            List.of("null", "zero", "full", "random", "urandom", "tty");

    private final Boundaries boundaries;
    private final Path tmp;

    /**
     * @param tmp private folder for temporary files
     */
    LandlockRules(Boundaries boundaries, Path tmp) {
        this.boundaries = boundaries;
        this.tmp = tmp;
    }

    /** The kernel's version of Landlock; 0 if it has none. */
    static int version() throws IOException {
        try (SystemCalls kernel = new SystemCalls()) {
            return (int) Math.max(0, kernel.call(CREATE_RULESET, 0, 0, VERSION));
        }
    }

    /** For good, and for all that this thread starts. */
    void restrictThisThread(SeccompFilter.Sockets sockets) throws IOException {
        try (SystemCalls kernel = new SystemCalls()) {
            int prctl = kernel.numbers().prctl();
            kernel.must("no_new_privs", prctl, NO_NEW_PRIVILEGES, 1);
            int version = version();
            long all = allOf(version);
            long rules = ruleset(kernel, version, all, sockets);
            allow(kernel, rules, all);
            kernel.must("landlock", RESTRICT_SELF, rules, 0);
            kernel.call(kernel.numbers().close(), rules);
            dropCapabilities(kernel);
            filter(kernel, sockets);
        }
    }

    private static long allOf(int version) {
        int bits = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
        return (1L << bits) - 1;
    }

    private static long ruleset(
            SystemCalls kernel, int version, long all, SeccompFilter.Sockets sockets)
            throws IOException {
        MemorySegment attributes = kernel.memory(24);
        attributes.set(ValueLayout.JAVA_LONG, 0, all);
        boolean offline = sockets == SeccompFilter.Sockets.NONE;
        attributes.set(ValueLayout.JAVA_LONG, 8, offline ? TCP : 0);
        attributes.set(ValueLayout.JAVA_LONG, 16, SCOPES);
        int size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
        return kernel.must("landlock", CREATE_RULESET, attributes.address(), size, 0);
    }

    private void allow(SystemCalls kernel, long rules, long all) throws IOException {
        HomeView view = HiddenPaths.view(boundaries);
        Set<Path> hidden = new HashSet<>(HiddenPaths.of(boundaries, view));
        hidden.add(DEVICES);
        hidden.addAll(view.covered());
        rule(kernel, rules, ROOT, READ_DIR);
        readable(kernel, rules, ROOT, hidden);
        for (Path shown : view.shown()) {
            if (!hidden.contains(shown) && shown.equals(HiddenPaths.real(shown))) {
                entry(kernel, rules, shown, hidden);
            }
        }
        for (String name : USUAL_DEVICES) {
            long device = READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV;
            rule(kernel, rules, DEVICES.resolve(name), device & all);
        }
        List<Path> writable = new ArrayList<>(boundaries.writable());
        writable.add(boundaries.workspace());
        writable.add(tmp);
        GitFolder.of(boundaries.workspace()).ifPresent(git -> writable.addAll(git.writable()));
        for (Path path : writable) {
            rule(kernel, rules, path, all & ~(MAKE_CHAR | MAKE_BLOCK));
        }
    }

    private static void readable(SystemCalls kernel, long rules, Path folder, Set<Path> hidden)
            throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (hidden.contains(entry) || Files.isSymbolicLink(entry)) {
                    continue; // what a link leads to has a rule of its own
                }
                entry(kernel, rules, entry, hidden);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void entry(SystemCalls kernel, long rules, Path entry, Set<Path> hidden)
            throws IOException {
        if (hidden.stream().anyMatch(path -> path.startsWith(entry))) {
            readable(kernel, rules, entry, hidden);
        } else {
            rule(kernel, rules, entry, READ_FILE | EXECUTE);
        }
    }

    /** What does not exist, or may not be opened, needs no rule. */
    private static void rule(SystemCalls kernel, long rules, Path path, long rights)
            throws IOException {
        long file =
                kernel.call(
                        kernel.numbers().openat(),
                        AT_FDCWD,
                        kernel.text(path.toString()).address(),
                        OPEN_PATH,
                        0);
        if (file < 0) {
            return;
        }
        boolean folder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        long ofFiles = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
        MemorySegment beneath = kernel.memory(16);
        beneath.set(ValueLayout.JAVA_LONG, 0, folder ? rights : rights & ofFiles);
        beneath.set(ValueLayout.JAVA_INT, 8, (int) file);
        long done = kernel.call(ADD_RULE, rules, PATH_BENEATH, beneath.address(), 0);
        kernel.call(kernel.numbers().close(), file);
        if (done < 0) {
            throw new IOException("landlock refused " + path + " (errno " + -done + ")");
        }
    }

    /** Of root: without them it is bound by the owners and modes of files. */
    private static void dropCapabilities(SystemCalls kernel) throws IOException {
        for (int capability = 0; capability < CAPABILITIES; capability++) {
            kernel.call(kernel.numbers().prctl(), DROP_FROM_BOUNDING_SET, capability);
        }
        MemorySegment header = kernel.memory(8);
        header.set(ValueLayout.JAVA_INT, 0, CAPABILITY_VERSION);
        kernel.must(
                "capset", kernel.numbers().capset(), header.address(), kernel.memory(24).address());
    }

    private static void filter(SystemCalls kernel, SeccompFilter.Sockets sockets)
            throws IOException {
        byte[] code =
                SeccompFilter.of(System.getProperty("os.arch"), sockets)
                        .orElseThrow(() -> new IOException("no filter for this machine"));
        MemorySegment instructions = kernel.memory(code.length);
        MemorySegment.copy(code, 0, instructions, ValueLayout.JAVA_BYTE, 0, code.length);
        MemorySegment program = kernel.memory(16);
        program.set(ValueLayout.JAVA_SHORT, 0, (short) (code.length / 8));
        program.set(ValueLayout.JAVA_LONG, 8, instructions.address());
        kernel.must(
                "seccomp",
                kernel.numbers().prctl(),
                SET_SECCOMP,
                SECCOMP_FILTER,
                program.address());
    }
}
