package dev.agentloop.replay.cassette;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads cassettes. They may come from a repository, so nothing in them is believed: sizes are
 * bounded, and only values of the known records come of them.
 */
public final class CassetteReader {
    static final int MAX_LINE = 32 << 20; // bytes; a reply with images has some 10 MB
    static final long MAX_FILE = 256L << 20; // bytes; a day of work has some 50 MB
    private static final int MAX_LINES = 2_000_000;

    private final String name;
    private int number;

    private CassetteReader(String name) {
        this.name = name;
    }

    /**
     * The whole cassette, or as much as there is of one whose run never ended.
     *
     * @throws CassetteException naming line and field when it is no cassette of this version
     */
    public static Cassette read(Path file) throws CassetteException {
        String name = file.toString();
        if (!Files.isRegularFile(file)) {
            throw new CassetteException(
                    name + " is not a file. Record one with agent run --record FILE.");
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            if (Files.size(file) > MAX_FILE) {
                throw new CassetteException(
                        name + " is larger than " + (MAX_FILE >> 20) + " MB: no cassette is.");
            }
            return new CassetteReader(name).read(in);
        } catch (IOException e) {
            throw new CassetteException(name + " cannot be read: " + e.getMessage());
        }
    }

    /** Whether the file begins as cassettes do, so that another may take its place. */
    static boolean isCassette(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(200), StandardCharsets.UTF_8);
            return start.startsWith("{\"format\":\"" + CassetteHeader.FORMAT + "\"");
        }
    }

    private Cassette read(InputStream in) throws IOException, CassetteException {
        byte[] first = line(in);
        CassetteHeader header = header(first == null ? new byte[0] : first);
        List<CassetteLine> lines = new ArrayList<>();
        for (byte[] line = line(in); line != null; line = line(in)) {
            if (!lines.isEmpty() && lines.getLast() instanceof CassetteLine.Ended) {
                throw at("stands behind the end of the run.", "");
            }
            if (number > MAX_LINES) {
                throw at("is one too many: no cassette has so many lines.", "");
            }
            lines.add(parsed(line));
        }
        return new Cassette(name, header, lines);
    }

    private CassetteHeader header(byte[] line) throws CassetteException {
        JsonValue json = null;
        try {
            json = Json.parse(line);
        } catch (JsonException e) {
            json = new JsonValue(null); // not even JSON
        }
        if (!json.at("format").text().equals(CassetteHeader.FORMAT)) {
            throw new CassetteException(
                    name
                            + " is not a cassette: line 1 has no field format with "
                            + CassetteHeader.FORMAT
                            + ". Record one with agent run --record FILE.");
        }
        long version = json.at("version").asLong();
        if (version != CassetteHeader.VERSION) {
            throw new CassetteException(
                    "%s, line 1: version %d of the format is not known here, only %d (it was written by agent %s). Use that version, or record it again."
                            .formatted(
                                    name,
                                    version,
                                    CassetteHeader.VERSION,
                                    Difference.shortened(json.at("app").text())));
        }
        try {
            return RecordReader.read(CassetteHeader.class, json);
        } catch (Fault e) {
            throw broken(String.valueOf(e.getMessage()));
        }
    }

    private CassetteLine parsed(byte[] line) throws CassetteException {
        try {
            return RecordReader.read(CassetteLine.class, Json.parse(line));
        } catch (JsonException e) {
            throw broken("not JSON: " + e.getMessage());
        } catch (Fault e) {
            throw broken(String.valueOf(e.getMessage()));
        }
    }

    private CassetteException broken(String problem) {
        return at(": " + problem + ".", " Record it again.");
    }

    private CassetteException at(String problem, String remedy) {
        String gap = problem.startsWith(":") ? "" : " ";
        return new CassetteException(name + ", line " + number + gap + problem + remedy);
    }

    /** Without its line feed; null at the end. What a killed run left of a line is left out. */
    private byte @Nullable [] line(InputStream in) throws IOException, CassetteException {
        number++;
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toByteArray();
            }
            if (line.size() >= MAX_LINE) {
                throw at("is longer than " + (MAX_LINE >> 20) + " MB: no cassette has such.", "");
            }
            line.write(next);
        }
        return number == 1 && line.size() > 0 ? line.toByteArray() : null;
    }
}
