package dev.agentloop.session.jsonl;

import dev.agentloop.session.Blobs;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Contents in the folder {@code blobs} of a session. A name is the fingerprint of the content; it
 * is no proof (SHA-256 costs 45 ms at its first use), so an equal name is only taken for an equal
 * content after a look, else the content gets a name with a number behind.
 */
final class FileBlobs implements Blobs {
    private final Path dir;
    private final boolean force;
    private final long start = System.nanoTime(); // no name of a process that was killed
    private final AtomicInteger temporary = new AtomicInteger();
    private volatile boolean made;

    /**
     * @param force whether contents may be pressed onto the disk
     */
    FileBlobs(Path session, boolean force) {
        dir = session.resolve("blobs");
        this.force = force;
    }

    @Override
    public String keep(String fingerprint, byte[] content) throws IOException {
        if (!made) {
            PrivateFiles.ensureDirectory(dir);
            made = true;
        }
        String name = fingerprint;
        for (int number = 2; Files.exists(dir.resolve(name), LinkOption.NOFOLLOW_LINKS); number++) {
            if (Arrays.equals(read(name), content)) {
                return name;
            }
            name = fingerprint + "-" + number;
        }
        Path fresh = dir.resolve("." + start + "-" + temporary.incrementAndGet() + ".tmp");
        boolean named = false;
        try {
            write(fresh, content);
            Files.move(fresh, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            named = true;
        } finally {
            if (!named) {
                Files.deleteIfExists(fresh);
            }
        }
        return name;
    }

    private static void write(Path fresh, byte[] content) throws IOException {
        try (FileChannel out = PrivateFiles.createFile(fresh, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    /** After the naming, so that it can happen while other things are forced. */
    @Override
    public void force(List<String> names) throws IOException {
        if (!force || names.isEmpty()) {
            return;
        }
        for (String name : names) {
            try (FileChannel file =
                    PrivateFiles.openFile(dir.resolve(name), StandardOpenOption.WRITE)) {
                file.force(true);
            }
        }
        try (FileChannel entries = FileChannel.open(dir, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    @Override
    public byte[] read(String name) throws IOException {
        if (!Path.of(name).equals(Path.of(name).getFileName())) {
            throw new NoSuchFileException(name); // a name leads nowhere else
        }
        Path file = dir.resolve(name);
        PrivateFiles.checkFile(file);
        return Files.readAllBytes(file);
    }
}
