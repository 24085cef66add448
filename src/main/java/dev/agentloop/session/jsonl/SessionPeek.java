package dev.agentloop.session.jsonl;

import dev.agentloop.session.PlainText;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.session.jsonl.journal.JournalCodec;
import dev.agentloop.session.jsonl.journal.JournalLine;
import dev.agentloop.session.jsonl.journal.JournalLine.BadLine;
import dev.agentloop.session.jsonl.journal.LineReader;
import dev.agentloop.session.jsonl.journal.SummaryFold;
import dev.agentloop.storage.PrivateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sums a session up without reading its body: from the cache, or the journal's head and tail. */
final class SessionPeek {
    private static final int HEAD_LINES = 8; // the session and its first prompt are among them
    private static final int TAIL = 16 * 1024; // bytes; an "end" record takes 200

    /** A run that has made its journal writes the first record at once. */
    private static final Duration STARTING = Duration.ofMinutes(1);

    private static final String LOST = "nothing was recorded, or it was lost";

    private SessionPeek() {}

    /** The summary of the session in {@code dir}; empty when it has no records yet. */
    static Optional<SessionSummary> of(Path dir) {
        String id = SessionFolders.name(dir);
        try {
            PrivateFiles.checkDirectory(dir);
            Optional<SessionMeta> meta = SessionMeta.read(dir, id);
            Path file = dir.resolve("journal.jsonl");
            try (FileChannel in = PrivateFiles.openFile(file, StandardOpenOption.READ)) {
                boolean had = meta.map(it -> it.journalBytes() > 0).orElse(false);
                if (in.size() == 0
                        && (had || written(file).plus(STARTING).isBefore(Instant.now()))) {
                    String workspace = meta.map(it -> it.summary().workspace()).orElse("");
                    return Optional.of(damaged(id, workspace, LOST));
                }
                if (meta.isPresent() && meta.get().journalBytes() == in.size()) {
                    return Optional.of(meta.get().summary());
                }
                boolean cached = meta.isPresent() && meta.get().journalBytes() < in.size();
                SummaryFold fold =
                        cached ? new SummaryFold(meta.get().summary()) : new SummaryFold(id);
                addTail(fold, in, cached ? meta.get().journalBytes() : addHead(fold, in));
                return fold.isEmpty() ? Optional.empty() : Optional.of(fold.summary());
            }
        } catch (IOException | BadLine e) {
            return Optional.of(damaged(id, "", String.valueOf(e.getMessage())));
        }
    }

    private static Instant written(Path file) throws IOException {
        return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    }

    /** Returns how many bytes were read. */
    private static long addHead(SummaryFold fold, FileChannel in) throws IOException, BadLine {
        InputStream stream = Channels.newInputStream(in); // not closed: the channel goes on
        LineReader lines = new LineReader(stream);
        long bytes = 0;
        for (int count = 0; count < HEAD_LINES && !fold.hasTitle(); count++) {
            byte[] line = lines.next();
            if (line == null) {
                break;
            }
            add(fold, line);
            bytes += line.length + 1;
        }
        return bytes;
    }

    private static void addTail(SummaryFold fold, FileChannel in, long known) throws IOException {
        long from = Math.max(known, in.size() - TAIL);
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, in.size() - from));
        while (bytes.hasRemaining() && in.read(bytes, from + bytes.position()) >= 0) {}
        LineReader lines =
                new LineReader(new ByteArrayInputStream(bytes.array(), 0, bytes.position()));
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            try {
                add(fold, line);
            } catch (BadLine e) {
                // The first is usually cut; whoever opens the session hears of others.
            }
        }
    }

    private static void add(SummaryFold fold, byte[] bytes) throws BadLine {
        JournalLine line = JournalLine.decode(bytes);
        JournalCodec.read(line.type(), line.data()).ifPresent(it -> fold.add(it, line.ts()));
    }

    private static SessionSummary damaged(String id, String workspace, String why) {
        Instant unknown = Instant.EPOCH;
        String title = PlainText.cut(PlainText.escape(why), 200);
        return new SessionSummary(id, unknown, unknown, workspace, "", "", title, "damaged", 0);
    }
}
