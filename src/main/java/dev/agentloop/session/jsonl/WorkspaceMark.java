package dev.agentloop.session.jsonl;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.agentloop.session.PlainText;
import dev.agentloop.session.SessionStore;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * That a run works in a workspace, for others that come: a lock on one of a few files, which ends
 * with the process however that ends. Nobody is kept out by it.
 */
final class WorkspaceMark implements SessionStore.Presence {
    private static final int PLACES = 8; // more runs than that in one folder are told, not counted
    private static final int MAX_TEXT = 300; // bytes, as in a session's lock

    private final @Nullable FileChannel channel;
    private final String others;

    private WorkspaceMark(@Nullable FileChannel channel, String others) {
        this.channel = channel;
        this.others = others;
    }

    /** Where no such file can be made nobody is told, and nothing else is lost. */
    static WorkspaceMark set(Path root, String workspace) {
        Path folder = root.resolve(".in-use");
        String others = "";
        try {
            PrivateFiles.ensureDirectory(folder);
            for (int place = 0; place < PLACES; place++) {
                Path file = folder.resolve(name(workspace) + "." + place);
                FileChannel channel = PrivateFiles.openOrCreate(file, READ, WRITE);
                if (isLocked(channel)) {
                    sign(channel);
                    return new WorkspaceMark(channel, others);
                }
                others = others.isEmpty() ? read(channel) : others;
                channel.close();
            }
        } catch (IOException e) {
            return new WorkspaceMark(null, others);
        }
        return new WorkspaceMark(null, others);
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another run of this process
        }
    }

    /** Two checksums of the path: SHA-256 costs 45 ms at its first use. */
    private static String name(String workspace) {
        CRC32C crc = new CRC32C();
        crc.update(workspace.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue()) + "-" + Integer.toHexString(workspace.hashCode());
    }

    private static void sign(FileChannel channel) throws IOException {
        String text = "process " + Self.pid() + " on host " + Self.host();
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_TEXT);
        channel.read(text, 0);
        String owner = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
        return owner.isBlank() ? "another process" : PlainText.escape(owner.strip());
    }

    @Override
    public String others() {
        return others;
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            return; // the kernel has dropped the lock with the descriptor
        }
    }
}
