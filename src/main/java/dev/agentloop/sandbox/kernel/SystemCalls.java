package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Optional;

/**
 * System calls that Java has no name for, through the C library's {@code syscall}. Loaded for the
 * Landlock tier only: the first call costs 60 ms or more.
 */
public final class SystemCalls implements AutoCloseable {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final int CAPABILITY_VERSION = 0x20080522;
    private static final Numbers X86 = new Numbers(true, 157, 257, 3, 126, 16, 271, 17, 267, 317);
    private static final Numbers ARM = new Numbers(false, 167, 56, 57, 91, 29, 73, 67, 78, 277);

    private final Numbers numbers;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = arena.allocate(STATE);
    private final MethodHandle call;

    /** What differs between machines. */
    public record Numbers(
            boolean onX86,
            int prctl,
            int openat,
            int close,
            int capset,
            int ioctl,
            int ppoll,
            int pread,
            int readlinkat,
            int seccomp) {}

    @SuppressWarnings("restricted") // the manifest grants native access; there is no other way
    public SystemCalls() throws IOException {
        this.numbers = here().orElseThrow(() -> new IOException("unknown kind of machine"));
        MemorySegment function =
                LINKER.defaultLookup()
                        .find("syscall")
                        .orElseThrow(() -> new IOException("the C library has no syscall"));
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        this.call =
                LINKER.downcallHandle(
                        function,
                        FunctionDescriptor.of(word, word, word, word, word, word, word),
                        Linker.Option.firstVariadicArg(1),
                        Linker.Option.captureCallState("errno"));
    }

    /** Empty for a machine whose numbers we do not know. */
    public static Optional<Numbers> here() {
        return switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> Optional.of(X86);
            case "aarch64", "arm64" -> Optional.of(ARM);
            default -> Optional.empty();
        };
    }

    public Numbers numbers() {
        return numbers;
    }

    /** A piece of memory that lives as long as this object, all zero. */
    public MemorySegment memory(long bytes) {
        return arena.allocate(bytes, AddressLayout.ADDRESS.byteAlignment());
    }

    public MemorySegment text(String text) {
        return arena.allocateFrom(text);
    }

    /** The result; negative: what errno says, with its sign changed. */
    public long call(int number, long... arguments) {
        long[] a = Arrays.copyOf(arguments, 5);
        try {
            long result =
                    (long) call.invokeExact(state, (long) number, a[0], a[1], a[2], a[3], a[4]);
            return result < 0 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable e) {
            throw new IllegalStateException("syscall " + number, e);
        }
    }

    /** Takes from this thread every right of root beyond its being the owner of root's files. */
    public void dropCapabilities() throws IOException {
        MemorySegment header = memory(8);
        header.set(ValueLayout.JAVA_INT, 0, CAPABILITY_VERSION);
        must("capset", numbers.capset(), header.address(), memory(24).address());
    }

    /** As {@link #call}; a failure is an error. */
    public long must(String what, int number, long... arguments) throws IOException {
        long result = call(number, arguments);
        if (result < 0) {
            throw new IOException(what + " failed (errno " + -result + ")");
        }
        return result;
    }

    @Override
    public void close() {
        arena.close();
    }
}
