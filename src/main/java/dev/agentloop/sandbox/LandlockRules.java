package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.file.HeldPath;
import dev.agentloop.sandbox.kernel.CallGuard;
import dev.agentloop.sandbox.kernel.LoopbackServers;
import dev.agentloop.sandbox.kernel.SeccompFilter;
import dev.agentloop.sandbox.kernel.SystemCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a confined thread may still do, told to the kernel with Landlock (linux/landlock.h). Where
 * that is allowed, {@link LandlockLayout} knows.
 */
final class LandlockRules {
    private static final int CREATE_RULESET = 444;
    private static final int ADD_RULE = 445;
    private static final int RESTRICT_SELF = 446;
    private static final int VERSION = 1; // flag of CREATE_RULESET
    private static final int PATH_BENEATH = 1;

    /** Since this version signals stay within the sandbox. */
    static final int SCOPED = 6;

    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long MAKE_CHAR = 1 << 6;
    private static final long MAKE_BLOCK = 1 << 11;
    private static final long REFER = 1 << 13; // rename and link to another folder
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEV = 1 << 15;
    private static final long TCP = 3; // bind and connect
    private static final long SCOPES = 3; // abstract sockets and signals

    private static final int DROP_FROM_BOUNDING_SET = 24;
    private static final int SET_DUMPABLE = 4;
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int CAPABILITIES = 64; // more than any kernel has

    private static final Path ROOT = Path.of("/");
    private static final List<String> USUAL_DEVICES =
            List.of("null", "zero", "full", "random", "urandom", "tty");

    private final LandlockLayout layout;
    private final LoopbackServers servers;

    LandlockRules(LandlockLayout layout, LoopbackServers servers) {
        this.layout = layout;
        this.servers = servers;
    }

    /** The kernel's version of Landlock; 0 if it has none. */
    static int version() throws IOException {
        try (SystemCalls kernel = new SystemCalls()) {
            return (int) Math.max(0, kernel.call(CREATE_RULESET, 0, 0, VERSION));
        }
    }

    /**
     * For good, and for all that this thread starts. Because they can see this thread, this whole
     * program says that nobody but itself may look into it: not at its memory, its environment, or
     * its open files. What it starts does not inherit that.
     *
     * @return who makes the system calls for them that these rules do not cover
     */
    CallGuard restrictThisThread(SeccompFilter.Sockets sockets) throws IOException {
        try (SystemCalls kernel = new SystemCalls()) {
            int prctl = kernel.numbers().prctl();
            kernel.must("no_new_privs", prctl, NO_NEW_PRIVILEGES, 1);
            kernel.must("undumpable", prctl, SET_DUMPABLE, 0);
            int version = version();
            long all = allOf(version);
            long rules = ruleset(kernel, version, all, sockets);
            allow(kernel, rules, all);
            kernel.must("landlock", RESTRICT_SELF, rules, 0);
            kernel.call(kernel.numbers().close(), rules);
            dropCapabilities(kernel);
            return CallGuard.ofThisThread(kernel, sockets, layout.writable(), servers);
        }
    }

    /**
     * One more set of rules for this thread, which takes nothing more away. The kernel lets a
     * process look only into those that have all of its own sets. So no command looks into the
     * process that is started for another one, which has the environment and the open files of this
     * program until it becomes that command.
     */
    static void addLayer() throws IOException {
        try (SystemCalls kernel = new SystemCalls()) {
            long refer = version() >= 2 ? REFER : 0; // each set denies it that does not grant it
            MemorySegment attributes = kernel.memory(8);
            attributes.set(ValueLayout.JAVA_LONG, 0, MAKE_BLOCK | refer);
            long rules = kernel.must("landlock", CREATE_RULESET, attributes.address(), 8, 0);
            if (refer != 0) {
                rule(kernel, rules, ROOT, refer);
            }
            kernel.must("landlock", RESTRICT_SELF, rules, 0);
            kernel.call(kernel.numbers().close(), rules);
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
        boolean offline = sockets != SeccompFilter.Sockets.INTERNET;
        attributes.set(ValueLayout.JAVA_LONG, 8, offline ? TCP : 0);
        attributes.set(ValueLayout.JAVA_LONG, 16, SCOPES);
        int size = version >= SCOPED ? 24 : version >= 4 ? 16 : 8;
        return kernel.must("landlock", CREATE_RULESET, attributes.address(), size, 0);
    }

    private void allow(SystemCalls kernel, long rules, long all) throws IOException {
        rule(kernel, rules, ROOT, READ_DIR);
        for (Path path : layout.readable()) {
            rule(kernel, rules, path, READ_FILE | EXECUTE);
        }
        for (String name : USUAL_DEVICES) {
            long device = READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV;
            rule(kernel, rules, LandlockLayout.DEVICES.resolve(name), device & all);
        }
        for (Path path : layout.writable()) {
            rule(kernel, rules, path, all & ~(MAKE_CHAR | MAKE_BLOCK));
        }
    }

    /**
     * What does not exist, or may not be opened, needs no rule; nor what is elsewhere than its name
     * says, because a command has just put a link on the way.
     */
    private static void rule(SystemCalls kernel, long rules, Path path, long rights)
            throws IOException {
        Optional<HeldPath> found = HeldPath.of(kernel, path);
        if (found.isEmpty()) {
            return;
        }
        try (HeldPath held = found.get()) {
            boolean folder = Files.isDirectory(held.path());
            long ofFiles = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
            MemorySegment beneath = kernel.memory(16);
            beneath.set(ValueLayout.JAVA_LONG, 0, folder ? rights : rights & ofFiles);
            beneath.set(ValueLayout.JAVA_INT, 8, held.number());
            long done = kernel.call(ADD_RULE, rules, PATH_BENEATH, beneath.address(), 0);
            if (done < 0) {
                throw new IOException("landlock refused " + path + " (errno " + -done + ")");
            }
        }
    }

    /** Of root: without them it is bound by the owners and modes of files. */
    private static void dropCapabilities(SystemCalls kernel) throws IOException {
        for (int capability = 0; capability < CAPABILITIES; capability++) {
            kernel.call(kernel.numbers().prctl(), DROP_FROM_BOUNDING_SET, capability);
        }
        kernel.dropCapabilities();
    }
}
