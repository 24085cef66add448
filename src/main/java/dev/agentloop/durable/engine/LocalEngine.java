package dev.agentloop.durable.engine;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Tasks in a folder of this machine: no server, any number of workers of one user. What is stored
 * survives killed processes; each operation holds the lock of its object, which the operating
 * system frees when a process dies.
 */
public final class LocalEngine implements DurableEngine {
    /** What {@code --engine} says. */
    public static final String NAME = "local";

    private final Path folder;

    /**
     * @param folder is made when it is needed; {@code --address} names another one
     */
    public LocalEngine(Path folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DurableObjects open(Settings settings) {
        return new Folders(settings.address().isEmpty() ? folder : Path.of(settings.address()));
    }

    private record Folders(Path folder) implements DurableObjects {
        private static final Object LOCK = new Object();

        @Override
        public String apply(Operation operation) throws DurableException {
            Path dir = folder.resolve(operation.kind()).resolve(safe(operation.key()));
            try {
                synchronized (LOCK) { // file locks are for processes, not threads
                    PrivateFiles.ensureDirectory(dir);
                    return locked(dir, operation);
                }
            } catch (IOException e) {
                throw new DurableException(PrivateFiles.reason(dir, e));
            } catch (UncheckedIOException e) {
                throw new DurableException(
                        PrivateFiles.reason(dir, Objects.requireNonNull(e.getCause())));
            }
        }

        private static String locked(Path dir, Operation operation) throws IOException {
            try (FileChannel lock =
                            PrivateFiles.openOrCreate(
                                    dir.resolve("lock"), StandardOpenOption.WRITE);
                    FileLock _ = lock.lock()) {
                return ObjectLogic.apply(operation, new Texts(dir), System.currentTimeMillis());
            }
        }

        @Override
        public String read(Operation operation) throws DurableException {
            return apply(operation);
        }

        @Override
        public void serve() {
            // Each process does its operations itself.
        }

        @Override
        public void close() {
            // Nothing is open between operations.
        }

        private static String safe(String key) throws DurableException {
            if (!key.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,100}")) {
                throw new DurableException.Refused(
                        "\""
                                + key
                                + "\" is no name: letters, digits, '.', '_' and '-', at most 100.");
            }
            return key;
        }
    }

    /** Each text a file, replaced as a whole. */
    private record Texts(Path dir) implements ObjectState {
        @Override
        public String get(String name) {
            Path file = dir.resolve(name);
            try {
                return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        ? Files.readString(file, StandardCharsets.UTF_8)
                        : "";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void put(String name, String value) {
            Path next = dir.resolve(name + ".next");
            try {
                Files.deleteIfExists(next);
                try (FileChannel out = PrivateFiles.createFile(next, StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = StandardCharsets.UTF_8.encode(value);
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                    out.force(true);
                }
                Files.move(next, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
