package dev.agentloop.process;

import dev.agentloop.process.CommandOutcome.Kept;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One output on the disk, up to a limit: what is beyond it is drained and dropped. */
final class OutputFile {
    private static final long MOST = 64L * 1024 * 1024; // bytes; as much as a model can search

    private final OutputFolder folder;
    private final String label;
    private @Nullable OutputStream out;
    private String path = "";
    private long written;
    private boolean refused;

    OutputFile(OutputFolder folder, String label) {
        this.folder = folder;
        this.label = label;
    }

    /** Whether the file is open or was; until then nothing has been written. */
    boolean isBegun() {
        return refused || !path.isEmpty();
    }

    void write(byte[] bytes, int length) {
        if (refused || out == null && !open()) {
            return;
        }
        int count = folder.grant((int) Math.min(length, MOST - written));
        try {
            if (out != null && count > 0) {
                out.write(bytes, 0, count);
                written += count;
            }
        } catch (IOException e) {
            close(); // a full disk: what is there is there
            refused = true;
        }
    }

    /** The output as far as the file holds it. */
    Kept kept() {
        return written == 0 ? Kept.NOTHING : new Kept(path, written);
    }

    void close() {
        refused = true;
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            return; // nothing is buffered that could be lost
        }
    }

    private boolean open() {
        try {
            Path file = folder.create(label);
            if (file != null) {
                out = new FileOutputStream(file.toFile());
                path = file.toString();
                return true;
            }
        } catch (IOException e) {
            path = "";
        }
        refused = true;
        return false;
    }
}
