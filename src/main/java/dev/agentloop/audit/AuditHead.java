package dev.agentloop.audit;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;

/**
 * How an audit log ends, kept where commands cannot write: a chain of seals alone does not show
 * that its last line was changed, or that all of it was written anew. The line that comes next is
 * noted before it is written, so that what a killed run leaves is told from what others did.
 */
final class AuditHead {
    private static final int NAME = 32; // hexadecimal digits of the path's hash

    private final Path file;
    private final Path log;

    /**
     * The end of the audit log as this program has left it.
     *
     * @param seal of the last line that was written
     * @param next the line that is being written; empty if none is
     * @param problem what was found wrong when a line was added; empty if nothing was
     */
    record Known(String seal, String next, String problem) {

        /** Whether a log with this last line is as it was left. */
        boolean isEnd(String last) {
            return Seal.of(last).equals(seal) || !next.isEmpty() && next.equals(last);
        }

        /** Whether the run that wrote this line was killed in the middle of it. */
        boolean isCut(String last) {
            return !last.isEmpty() && next.length() > last.length() && next.startsWith(last);
        }
    }

    /**
     * @param folder of the user's state, outside of every workspace; need not exist
     * @param log an existing file
     */
    AuditHead(Path folder, Path log) throws IOException {
        this.log = log.toRealPath();
        this.file = folder.resolve(Seal.of(this.log.toString()).substring(0, NAME) + ".json");
    }

    Path file() {
        return file;
    }

    /** Empty if nobody has added to the log on this machine. */
    Optional<Known> read() throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        PrivateFiles.checkFile(file);
        String text = Files.readString(file, StandardCharsets.UTF_8);
        try {
            JsonValue known = Json.parse(text.substring(0, Math.max(0, text.indexOf('\n'))));
            return Optional.of(
                    new Known(
                            known.at("seal").text(),
                            known.at("next").text(),
                            known.at("problem").text()));
        } catch (JsonException e) {
            throw new IOException(file + ", which says how the log ends, is no JSON", e);
        }
    }

    /**
     * Replaces it in one write; a rest of a longer one stays behind the line feed until it is cut.
     *
     * @param force whether it must survive a power cut before anything else happens
     */
    void write(Known known, boolean force) throws IOException {
        PrivateFiles.ensureDirectory(Objects.requireNonNull(file.getParent()));
        String text =
                Json.text(json -> {
                    json.writeStartObject();
                    json.writeStringField("log", log.toString());
                    json.writeStringField("seal", known.seal());
                    json.writeStringField("next", known.next());
                    json.writeStringField("problem", known.problem());
                    json.writeEndObject();
                });
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text + "\n");
        int length = bytes.remaining();
        try (FileChannel out = PrivateFiles.openOrCreate(file, StandardOpenOption.WRITE)) {
            long end = 0;
            while (bytes.hasRemaining()) {
                end += out.write(bytes, end);
            }
            out.truncate(length);
            if (force) {
                out.force(false);
            }
        }
    }
}
