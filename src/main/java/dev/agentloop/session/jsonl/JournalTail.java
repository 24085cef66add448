package dev.agentloop.session.jsonl;

import dev.agentloop.session.jsonl.journal.JournalLine;
import dev.agentloop.session.jsonl.journal.JournalLine.BadLine;
import dev.agentloop.session.jsonl.journal.JournalLine.Batch;
import dev.agentloop.session.jsonl.journal.JournalLine.End;
import dev.agentloop.session.jsonl.journal.LineReader;
import dev.agentloop.storage.PrivateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Looks at what a failed write has left at the end of a journal. */
final class JournalTail {
    private JournalTail() {}

    /** Somebody else has written behind our records: nothing of theirs is cut off. */
    static final class Foreign extends IOException {
        private static final long serialVersionUID = 1L;

        Foreign() {
            super("another program has written to the journal");
        }
    }

    /**
     * Makes sure that the file holds all lines from {@code known} to where {@code batch} began, and
     * behind them nothing but the beginning of {@code batch}.
     */
    static void verify(Path file, End known, Batch batch) throws IOException {
        byte[] tail = readFrom(file, known.bytes());
        LineReader lines = new LineReader(new ByteArrayInputStream(tail));
        End at = known;
        while (at.bytes() < batch.from().bytes()) {
            at = verified(lines.next(), at);
        }
        int own = (int) (at.bytes() - known.bytes());
        byte[] rest = Arrays.copyOfRange(tail, own, tail.length);
        ByteBuffer ours = batch.bytes();
        if (rest.length > ours.remaining()
                || !ByteBuffer.wrap(rest).equals(ours.slice(0, rest.length))) {
            throw new Foreign();
        }
    }

    private static End verified(byte @Nullable [] line, End before) throws IOException {
        if (line == null) {
            throw new IOException("the journal has lost its last records");
        }
        try {
            JournalLine.decode(line, before);
            return JournalLine.after(before, line);
        } catch (BadLine e) {
            throw new IOException("record " + before.seq() + " is damaged: " + e.getMessage(), e);
        }
    }

    private static byte[] readFrom(Path file, long position) throws IOException {
        try (FileChannel in = PrivateFiles.openFile(file, StandardOpenOption.READ)) {
            long length = in.size() - position;
            if (length < 0 || length > Integer.MAX_VALUE - 8) {
                throw new IOException("the journal has lost its last records");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) length);
            while (bytes.hasRemaining() && in.read(bytes, position + bytes.position()) >= 0) {}
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }
}
