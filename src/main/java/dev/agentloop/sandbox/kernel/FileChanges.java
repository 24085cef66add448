package dev.agentloop.sandbox.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The calls of {@link FileCall}, made in the place of another process. */
final class FileChanges {
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EBADF = 9;
    private static final int EFAULT = 14;
    private static final int EINVAL = 22;
    private static final int ENAMETOOLONG = 36;

    private static final int HERE = -100; // AT_FDCWD
    private static final long NO_FOLLOW = 0x100; // AT_SYMLINK_NOFOLLOW
    private static final long EMPTY_NAME = 0x1000; // AT_EMPTY_PATH
    private static final long OPEN = 0x280000; // O_PATH | O_CLOEXEC
    private static final long READ = 0x80000; // O_RDONLY | O_CLOEXEC
    private static final int PAGE = 4096; // also the longest name

    private final SystemCalls kernel;
    private final SystemCalls.Numbers numbers;
    private final boolean onX86;
    private final List<String> writable;
    private final MemorySegment buffer;
    private final MemorySegment name;
    private final MemorySegment times;

    FileChanges(SystemCalls kernel, List<String> writable) {
        this.kernel = kernel;
        this.numbers = kernel.numbers();
        this.onX86 = numbers.onX86();
        this.writable = writable;
        this.buffer = kernel.memory(PAGE);
        this.name = kernel.memory(2 * PAGE);
        this.times = kernel.memory(32);
    }

    /**
     * @param folder descriptor of the folder that the name begins in, or of the file itself
     * @param named whether there is a name, or else the descriptor is the file
     * @param path address of the name
     */
    private record Target(int folder, boolean named, long path, long flags) {
        static Target of(int folder, long path, long flags) {
            return new Target(folder, true, path, flags);
        }

        /** The calls that set times take no name for the file that the descriptor is. */
        static Target maybe(int folder, long path, long flags) {
            return new Target(folder, path != 0 || folder == HERE, path, flags);
        }
    }

    /** A name in the memory of a process, or the error of reading it, with its sign changed. */
    private record Text(String name, long error) {}

    /**
     * @param isWaiting whether the process still waits for this call: else its number may be
     *     another's by now
     * @return what the call would: zero, or an error with its sign changed
     */
    long make(FileCall call, long[] a, int process, BooleanSupplier isWaiting) {
        long memory = open(HERE, "/proc/" + process + "/mem", READ);
        if (memory < 0) {
            return -EPERM; // a program that may not be looked at
        }
        try {
            long file =
                    isWaiting.getAsBoolean() ? target(target(call, a), process, memory) : -EPERM;
            if (file < 0) {
                return file;
            }
            try {
                boolean may = isWaiting.getAsBoolean() && isWritable(file);
                return may ? change(call, a, file, memory) : -EPERM;
            } finally {
                close(file);
            }
        } finally {
            close(memory);
        }
    }

    private static Target target(FileCall call, long[] a) {
        return switch (call) {
            case CHMOD, CHOWN, UTIME, UTIMES, TRUNCATE -> Target.of(HERE, a[0], 0);
            case LCHOWN -> Target.of(HERE, a[0], NO_FOLLOW);
            case FCHMOD, FCHOWN -> new Target((int) a[0], false, 0, 0);
            case FCHMODAT -> Target.of((int) a[0], a[1], 0);
            case FUTIMESAT -> Target.maybe((int) a[0], a[1], 0);
            case FCHMODAT2 -> Target.of((int) a[0], a[1], a[3]);
            case UTIMENSAT -> Target.maybe((int) a[0], a[1], a[3]);
            case FCHOWNAT -> Target.of((int) a[0], a[1], a[4]);
        };
    }

    /** A descriptor of the file; negative is an error. */
    private long target(Target target, int process, long memory) {
        if (((int) target.flags() & ~(NO_FOLLOW | EMPTY_NAME)) != 0) {
            return -EINVAL;
        }
        if (!target.named()) {
            int file = target.folder();
            return file < 0 ? -EBADF : start("/proc/" + process + "/fd/" + file);
        }
        Text read = text(memory, target.path());
        if (read.error() != 0) {
            return read.error();
        }
        String path = read.name();
        if (path.isEmpty() && (target.flags() & EMPTY_NAME) == 0) {
            return -ENOENT;
        }
        long how = OPEN | ((target.flags() & NO_FOLLOW) == 0 ? 0 : onX86 ? 0x20000 : 0x8000);
        if (path.startsWith("/")) {
            return open(HERE, Names.asSeenBy(process, path), how);
        }
        String start =
                "/proc/" + process + (target.folder() == HERE ? "/cwd" : "/fd/" + target.folder());
        long folder = start(start);
        if (folder < 0 || path.isEmpty()) {
            return folder;
        }
        long file = open(folder, path, how);
        close(folder);
        return file;
    }

    private long start(String descriptor) {
        long file = open(HERE, descriptor, OPEN);
        return file == -ENOENT ? -EBADF : file;
    }

    /** Its name in full, as the kernel says it, lies in a folder that commands may write to. */
    private boolean isWritable(long file) {
        put("/proc/self/fd/" + file);
        long length =
                kernel.call(numbers.readlinkat(), HERE, name.address(), buffer.address(), PAGE);
        if (length <= 0 || length >= PAGE) {
            return false;
        }
        String real = string(length);
        return writable.stream().anyMatch(folder -> Names.isIn(folder, real));
    }

    private long change(FileCall call, long[] a, long file, long memory) {
        put("/proc/self/fd/" + file);
        long path = name.address();
        return switch (call) {
            case CHMOD, FCHMOD -> mode(path, a[1]);
            case FCHMODAT, FCHMODAT2 -> mode(path, a[2]);
            case CHOWN, LCHOWN, FCHOWN -> owner(path, a[1], a[2]);
            case FCHOWNAT -> owner(path, a[2], a[3]);
            case UTIME -> times(path, memory, a[1], 8, 0);
            case UTIMES -> times(path, memory, a[1], 16, 1000);
            case FUTIMESAT -> times(path, memory, a[2], 16, 1000);
            case UTIMENSAT -> times(path, memory, a[2], 16, 1);
            case TRUNCATE -> kernel.call(FileCall.TRUNCATE.number(onX86), path, a[1]);
        };
    }

    private long mode(long path, long mode) {
        return kernel.call(FileCall.FCHMODAT.number(onX86), HERE, path, mode);
    }

    private long owner(long path, long user, long group) {
        return kernel.call(FileCall.FCHOWNAT.number(onX86), HERE, path, user, group, 0);
    }

    /**
     * @param size of one time in memory
     * @param unit nanoseconds of its second part; 0 if it has none
     */
    private long times(long path, long memory, long address, int size, int unit) {
        int call = FileCall.UTIMENSAT.number(onX86);
        if (address == 0) {
            return kernel.call(call, HERE, path, 0, 0);
        }
        if (kernel.call(numbers.pread(), memory, buffer.address(), 2L * size, address)
                != 2L * size) {
            return -EFAULT;
        }
        for (int i = 0; i < 2; i++) {
            long part = unit == 0 ? 0 : buffer.get(ValueLayout.JAVA_LONG, (long) i * size + 8);
            if (unit == 1000 && (part < 0 || part >= 1_000_000)) {
                return -EINVAL;
            }
            times.set(
                    ValueLayout.JAVA_LONG,
                    16L * i,
                    buffer.get(ValueLayout.JAVA_LONG, (long) i * size));
            times.set(ValueLayout.JAVA_LONG, 16L * i + 8, part * unit);
        }
        return kernel.call(call, HERE, path, times.address(), 0);
    }

    private long open(long folder, String path, long how) {
        put(path);
        return kernel.call(numbers.openat(), folder, name.address(), how, 0);
    }

    private void close(long file) {
        kernel.call(numbers.close(), file);
    }

    private void put(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        MemorySegment.copy(bytes, 0, name, ValueLayout.JAVA_BYTE, 0, bytes.length);
        name.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    }

    private String string(long length) {
        byte[] bytes = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Up to its end, page by page: the next one need not be there. */
    private Text text(long memory, long address) {
        StringBuilder text = new StringBuilder();
        while (text.length() < PAGE) {
            long at = address + text.length();
            long length =
                    kernel.call(numbers.pread(), memory, buffer.address(), PAGE - at % PAGE, at);
            if (length <= 0) {
                return new Text("", -EFAULT);
            }
            String piece = string(length);
            int end = piece.indexOf(0);
            text.append(end < 0 ? piece : piece.substring(0, end));
            if (end >= 0) {
                break;
            }
        }
        return text.length() < PAGE ? new Text(text.toString(), 0) : new Text("", -ENAMETOOLONG);
    }
}
