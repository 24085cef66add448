package dev.agentloop.storage;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads files of a tree one after another and holds the folders on the way to the last one open, so
 * that its neighbours are opened from there. As {@link HeldFolder}, it follows no link.
 */
public final class HeldFolders implements AutoCloseable {
    private final Path root;
    private final Deque<HeldFolder> way = new ArrayDeque<>(); // the deepest first

    /**
     * @param root as of {@link HeldFolder#of}
     */
    public HeldFolders(Path root) {
        this.root = root;
    }

    /**
     * Opens a file for reading from the folder that is held for it; the caller closes it.
     *
     * @param file a path without links
     * @throws IOException if a link, or nothing, stands on the way or in its place
     */
    public SeekableByteChannel open(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new FileSystemException(file.toString(), null, "it is in no folder");
        }
        while (!way.isEmpty() && !folder.startsWith(way.element().path())) {
            way.remove().close();
        }
        if (way.isEmpty()) {
            way.push(folder.startsWith(root) ? HeldFolder.at(root) : HeldFolder.byPath(folder));
        }
        while (!way.element().path().equals(folder)) {
            way.push(way.element().next(folder));
        }
        return way.element().open(file);
    }

    @Override
    public void close() throws IOException {
        while (!way.isEmpty()) {
            way.remove().close();
        }
    }
}
