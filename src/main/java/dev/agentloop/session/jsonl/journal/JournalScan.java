package dev.agentloop.session.jsonl.journal;

import dev.agentloop.session.SessionException;
import dev.agentloop.session.jsonl.journal.JournalLine.BadLine;
import dev.agentloop.session.jsonl.journal.JournalLine.End;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * Reads a journal from its first line to its last good one. A last line that was torn by a crash is
 * reported, anything else that is not as it was written is refused with its line number: records
 * are never skipped.
 *
 * @param end behind the last good line
 * @param tornBytes what follows it: the beginning of a line, or one bad last line; usually 0
 */
public record JournalScan(End end, long tornBytes) {

    /** Stands for all records of a journal. */
    static final long ALL = Long.MAX_VALUE;

    public static JournalScan read(Path file, String id, Consumer<JournalLine> sink)
            throws IOException, SessionException {
        return read(file, id, ALL, sink);
    }

    /**
     * Reads the first {@code records} only; what follows them may be damaged, and does not count as
     * torn.
     */
    public static JournalScan read(Path file, String id, long records, Consumer<JournalLine> sink)
            throws IOException, SessionException {
        try (InputStream in =
                Channels.newInputStream(PrivateFiles.openFile(file, StandardOpenOption.READ))) {
            Source source = new Source(file, id);
            JournalScan scan = read(new LineReader(in), source, records, sink);
            if (records != ALL && scan.end.seq() < records) {
                throw source.tooShort(scan.end.seq(), records);
            }
            return scan;
        }
    }

    private static JournalScan read(
            LineReader lines, Source source, long records, Consumer<JournalLine> sink)
            throws IOException, SessionException {
        End end = End.START;
        if (records == 0) {
            return new JournalScan(end, 0);
        }
        for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
            JournalLine line;
            try {
                line = JournalLine.decode(bytes, end);
            } catch (BadLine e) {
                if (end.seq() == 0 && JournalLine.claimsNewer(bytes)) {
                    throw source.newer();
                }
                if (lines.next() == null && lines.rest() == 0) {
                    return new JournalScan(end, bytes.length + 1L);
                }
                throw source.damaged(end.seq(), e);
            }
            if (line.version() > JournalLine.VERSION) {
                throw source.newer();
            }
            sink.accept(line);
            end = JournalLine.after(end, bytes);
            if (end.seq() == records) {
                return new JournalScan(end, 0);
            }
        }
        return new JournalScan(end, lines.rest());
    }

    /** What is being read, for messages. */
    private record Source(Path file, String id) {
        SessionException newer() {
            return new SessionException(
                    "Session "
                            + id
                            + " was written by a newer version of agent. Use that version.");
        }

        SessionException damaged(long seq, BadLine why) {
            return new SessionException(
                    "Session "
                            + id
                            + " is damaged at line "
                            + (seq + 1)
                            + " (record "
                            + seq
                            + "): "
                            + why.getMessage()
                            + ". The "
                            + seq
                            + " records before it are good; nothing was changed."
                            + (seq > 0
                                    ? " To go on with a copy of them: agent resume "
                                            + id
                                            + " --resume-at "
                                            + seq
                                            + "."
                                    : "")
                            + " File: "
                            + file);
        }

        SessionException tooShort(long good, long wanted) {
            return new SessionException(
                    "Session " + id + " has " + good + " good records, not " + wanted + ".");
        }
    }
}
