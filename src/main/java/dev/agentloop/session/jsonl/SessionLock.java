package dev.agentloop.session.jsonl;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.agentloop.session.PlainText;
import dev.agentloop.session.SessionException;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to write one session. The operating system's lock decides and ends with the process,
 * also after {@code kill -9}; the text in the file only tells a person who holds it.
 *
 * <p>Closing any channel of a file drops all locks that this process has on it (POSIX), therefore
 * the lock has a file of its own and that file is opened at most once in a process.
 */
final class SessionLock implements AutoCloseable {
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();
    private static final Map<Path, SessionLock> CLAIMED = new ConcurrentHashMap<>();
    private static final int MAX_TEXT = 300; // bytes: a pid and a host name of at most 255

    private final Path key;
    private final FileChannel channel;

    private SessionLock(Path key, FileChannel channel) {
        this.key = key;
        this.channel = channel;
    }

    /**
     * Takes the lock and keeps it for whoever of this process takes it next, so that nobody gets in
     * between what is read now and what is done then.
     */
    static void claim(Path dir) throws SessionException, IOException {
        Path key = dir.toRealPath();
        if (!CLAIMED.containsKey(key)) {
            CLAIMED.put(key, take(dir));
        }
    }

    /** Gives up what was claimed and not taken. */
    static void dropClaims() {
        for (Path key : List.copyOf(CLAIMED.keySet())) {
            SessionLock lock = CLAIMED.remove(key);
            if (lock != null) {
                lock.close();
            }
        }
    }

    /** Takes the lock of the session in {@code dir}, or tells who has it. */
    static SessionLock take(Path dir) throws SessionException, IOException {
        Path key = dir.toRealPath();
        SessionLock claimed = CLAIMED.remove(key);
        if (claimed != null) {
            return claimed;
        }
        String id = String.valueOf(key.getFileName());
        if (!HELD.add(key)) {
            throw inUse(id, owner());
        }
        SessionLock lock = null;
        try {
            lock = lock(id, key);
            return lock;
        } finally {
            if (lock == null) {
                HELD.remove(key);
            }
        }
    }

    private static SessionLock lock(String id, Path key) throws SessionException, IOException {
        FileChannel channel = PrivateFiles.openOrCreate(key.resolve("lock"), READ, WRITE);
        boolean locked = false;
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(id, read(channel));
            }
            locked = true;
            sign(channel);
            return new SessionLock(key, channel);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    private static void sign(FileChannel channel) {
        try {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(owner().getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException e) {
            // A full disk must not keep a session from being taken up; the lock holds without text.
        }
    }

    private static SessionException inUse(String id, String owner) {
        return new SessionException.InUse(
                "Session "
                        + id
                        + " is in use by "
                        + (owner.isEmpty() ? "another process" : owner)
                        + ". Wait until that run has ended (resume --wait does), or start a new"
                        + " session.");
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_TEXT);
        channel.read(text, 0);
        return PlainText.escape(
                new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip());
    }

    private static String owner() {
        return "process " + Self.pid() + " on host " + Self.host();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The kernel has dropped the lock with the descriptor, whatever close reported.
        } finally {
            HELD.remove(key);
        }
    }
}
