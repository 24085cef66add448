package dev.agentloop.session.jsonl;

import dev.agentloop.session.SessionException;
import dev.agentloop.session.jsonl.JournalLine.BadLine;
import dev.agentloop.session.jsonl.JournalLine.End;
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
record JournalScan(End end, long tornBytes) {

    static JournalScan read(Path file, String id, Consumer<JournalLine> sink)
            throws IOException, SessionException {
        try (InputStream in =
                Channels.newInputStream(PrivateFiles.openFile(file, StandardOpenOption.READ))) {
            return read(new LineReader(in), new Source(file, id), sink);
        }
    }

    private static JournalScan read(LineReader lines, Source source, Consumer<JournalLine> sink)
            throws IOException, SessionException {
        End end = End.START;
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
                            + " records before it are good; nothing was changed. File: "
                            + file);
        }
    }
}
