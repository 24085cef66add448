package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much one look reads: a command can leave any number of files, each as long as it likes. */
final class ReadBudget {
    private static final long MOST_BYTES = 64L * 1024 * 1024;
    private static final int MOST_ENTRIES = 2000; // of folders of hooks and remotes

    private long bytes = MOST_BYTES;
    private int entries = MOST_ENTRIES;
    private boolean spent;

    /** Whether it may still be read; it counts as read then. */
    boolean read(Path file) {
        try {
            bytes -= Files.size(file);
        } catch (IOException e) {
            return true; // there is nothing to read
        }
        spent |= bytes < 0;
        return bytes >= 0;
    }

    /** Whether a further entry of a folder may be looked at. */
    boolean entry() {
        spent |= entries <= 0;
        return entries-- > 0;
    }

    boolean isSpent() {
        return spent;
    }
}
