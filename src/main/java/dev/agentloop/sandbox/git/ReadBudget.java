package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much one look reads: a command can leave any number of files, each as long as it likes. */
final class ReadBudget {
    private static final long MOST_BYTES = 64L * 1024 * 1024;
    private static final long MOST_OF_INDEXES = 512L * 1024 * 1024;
    private static final int MOST_ENTRIES = 2000; // of folders of hooks and remotes
    private static final int MOST_REFERENCES = 10_000;

    private final long mostOfOne;
    private long bytes;
    private int entries;
    private boolean spent;

    ReadBudget() {
        this(MOST_BYTES, MOST_BYTES, MOST_ENTRIES);
    }

    private ReadBudget(long bytes, long mostOfOne, int entries) {
        this.bytes = bytes;
        this.mostOfOne = mostOfOne;
        this.entries = entries;
    }

    /** And of references: those of large repositories are as long as all settings there are. */
    static ReadBudget ofIndexes() {
        return new ReadBudget(MOST_OF_INDEXES, GitIndex.MOST_BYTES, MOST_REFERENCES);
    }

    /** Whether it may still be read; it counts as read then. */
    boolean read(Path file) {
        try {
            long size = Files.size(file);
            boolean fits = size <= mostOfOne && size <= bytes;
            bytes -= fits ? size : 0;
            spent |= !fits;
            return fits;
        } catch (IOException e) {
            return true; // there is nothing to read
        }
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
