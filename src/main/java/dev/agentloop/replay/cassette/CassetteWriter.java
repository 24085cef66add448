package dev.agentloop.replay.cassette;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Writes a cassette while its run goes on, so that a run that dies leaves what it had. The file is
 * for its owner only; it takes the place of an old cassette at once and as a whole.
 *
 * <p><b>Contract.</b> Safe from any thread. {@link #write} never throws: when the file cannot be
 * written, {@link #failure} says why and nothing more is tried.
 */
public final class CassetteWriter implements AutoCloseable {
    private final FileChannel file;
    private final RecordWriter form;
    private final Path place;
    private Path now;
    private long written;
    private String failure = "";

    private CassetteWriter(FileChannel file, RecordWriter form, Path now, Path place) {
        this.file = file;
        this.form = form;
        this.now = now;
        this.place = place;
    }

    private void takePlace() throws IOException {
        if (!now.equals(place)) {
            Files.move(
                    now,
                    place,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            now = place;
        }
    }

    /**
     * Begins a cassette.
     *
     * @param mask applied to each text before it is written
     * @throws CassetteException when the place is taken by something else, or not writable
     */
    public static CassetteWriter create(
            Path file, CassetteHeader header, UnaryOperator<String> mask) throws CassetteException {
        checkPlace(file);
        boolean replaces = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        String number = Long.toHexString(System.nanoTime() ^ ProcessHandle.current().pid());
        Path next = file.resolveSibling("." + file.getFileName() + "." + number + ".part");
        try {
            FileChannel channel =
                    FileChannel.open(
                            next,
                            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                            ownersOnly());
            CassetteWriter writer = new CassetteWriter(channel, new RecordWriter(mask), next, file);
            byte[] first = writer.form.bytes(CassetteHeader.class, header);
            if (first.length >= CassetteReader.MAX_LINE) {
                channel.close();
                Files.deleteIfExists(next);
                throw new CassetteException(
                        "the cassette "
                                + file
                                + " would not be readable: its first line is longer than "
                                + (CassetteReader.MAX_LINE >> 20)
                                + " MB (images, configuration)");
            }
            writer.put(first);
            writer.written = first.length;
            if (!replaces) {
                writer.takePlace(); // an old one stays until there is a whole new one
            }
            return writer;
        } catch (IOException e) {
            throw new CassetteException("the cassette " + file + " cannot be written: " + e);
        }
    }

    /**
     * Refuses a place where a cassette must not be put.
     *
     * @throws CassetteException naming the place
     */
    public static void checkPlace(Path file) throws CassetteException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CassetteException(
                    "the cassette " + file + " cannot be written. Make its folder first.");
        }
        try {
            boolean free = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            if (!free
                    && !(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            && CassetteReader.isCassette(file))) {
                throw new CassetteException(
                        file
                                + " is there and not a cassette, so it is not overwritten. Choose"
                                + " another file.");
            }
        } catch (IOException e) {
            throw new CassetteException(file + " cannot be read: " + e.getMessage());
        }
    }

    private static FileAttribute<?>[] ownersOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Adds a line; it is with the operating system when this returns. */
    public synchronized void write(CassetteLine line) {
        if (!failure.isEmpty()) {
            return;
        }
        try {
            byte[] bytes = form.bytes(CassetteLine.class, line);
            written += bytes.length + 1L;
            if (bytes.length >= CassetteReader.MAX_LINE || written > CassetteReader.MAX_FILE) {
                failure = "the run says more than a cassette can hold";
                return;
            }
            put(bytes);
            if (line instanceof CassetteLine.Ended) {
                takePlace();
            }
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    /** Why the cassette is not whole; empty while it is. */
    public synchronized String failure() {
        return failure;
    }

    private void put(byte[] line) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip();
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
            if (!now.equals(place)) {
                Files.deleteIfExists(now); // the cassette that was there is still the whole one
            }
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
        }
    }
}
