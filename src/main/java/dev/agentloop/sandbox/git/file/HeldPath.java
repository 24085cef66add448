package dev.agentloop.sandbox.git.file;

import dev.agentloop.sandbox.kernel.SystemCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A file or folder that is held open: whatever is put in its place, it stays the same. */
public final class HeldPath implements AutoCloseable {
    private static final long AT_FDCWD = -100;
    private static final long OPEN_PATH = 0x280000; // O_PATH | O_CLOEXEC: neither read nor written

    private final SystemCalls kernel;
    private final long number;

    private HeldPath(SystemCalls kernel, long number) {
        this.kernel = kernel;
        this.number = number;
    }

    /**
     * Holds what is there now.
     *
     * @param real a real path
     * @return empty if there is nothing, it may not be opened, or a link leads elsewhere by now
     */
    public static Optional<HeldPath> of(SystemCalls kernel, Path real) {
        long number =
                kernel.call(
                        kernel.numbers().openat(),
                        AT_FDCWD,
                        kernel.text(real.toString()).address(),
                        OPEN_PATH,
                        0);
        if (number < 0) {
            return Optional.empty();
        }
        HeldPath held = new HeldPath(kernel, number);
        if (held.leadsTo(real)) {
            return Optional.of(held);
        }
        held.close();
        return Optional.empty();
    }

    private boolean leadsTo(Path real) {
        try {
            return path().toRealPath().equals(real);
        } catch (IOException e) {
            return false;
        }
    }

    /** Leads to it while it is held. */
    public Path path() {
        return Path.of("/proc/self/fd/" + number);
    }

    /** Its number in this program. */
    public int number() {
        return (int) number;
    }

    @Override
    public void close() {
        kernel.call(kernel.numbers().close(), number);
    }
}
