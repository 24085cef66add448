package dev.agentloop.session.jsonl.journal;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.session.JournalRecord;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One line of a journal: a record and its place in the chain. Each line carries a checksum of its
 * own bytes and repeats that of the line before, so that a torn, lost, swapped or merged line is
 * noticed. {@code docs/sessions.md} describes the format; it is a promise.
 *
 * @param seq counts from 0 without gaps
 * @param ts wall clock in milliseconds; for people, never for order
 * @param mono milliseconds since this process opened the session
 * @param run id of one opening of the session by one process
 * @param previous checksum of the line before
 */
public record JournalLine(
        int version,
        long seq,
        long ts,
        long mono,
        String run,
        String type,
        JsonValue data,
        int previous) {
    static final int VERSION = 1;

    /** {@code ,"crc":"01234567"}}, the last bytes of each line. */
    private static final int TRAILER = 18;

    private static final String CRC_FIELD = ",\"crc\":\"";
    private static final String HEX = "0123456789abcdef";

    /** Where the next line goes: its number, the checksum before it, its place in the file. */
    public record End(long seq, int crc, long bytes) {
        public static final End START = new End(0, 0, 0);
    }

    /**
     * Lines ready to be written.
     *
     * @param bytes all of them; to be read through a duplicate only
     */
    public record Batch(ByteBuffer bytes, End from, End to) {}

    /** What all lines of one batch share. */
    public record Stamp(long ts, long mono, String run) {}

    public static Batch encode(List<JournalRecord> records, Stamp stamp, End from) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(1024);
        long seq = from.seq();
        int crc = from.crc();
        for (JournalRecord record : records) {
            byte[] body = body(record, stamp, seq, crc);
            int length = body.length - 1; // without the closing brace
            crc = checksum(body, length);
            all.write(body, 0, length);
            all.writeBytes((CRC_FIELD + hex(crc) + "\"}\n").getBytes(StandardCharsets.US_ASCII));
            seq++;
        }
        return new Batch(
                ByteBuffer.wrap(all.toByteArray()),
                from,
                new End(seq, crc, from.bytes() + all.size()));
    }

    private static byte[] body(JournalRecord record, Stamp stamp, long seq, int previous) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeNumberField("v", VERSION);
            json.writeNumberField("seq", seq);
            json.writeNumberField("ts", stamp.ts());
            json.writeNumberField("mono", stamp.mono());
            json.writeStringField("run", stamp.run());
            json.writeStringField("t", record.type());
            json.writeObjectFieldStart("d");
            JournalCodec.write(json, record);
            json.writeEndObject();
            json.writeStringField("pc", hex(previous));
            json.writeEndObject();
        });
    }

    /** Reads one line, given without its line feed, that must continue {@code before}. */
    public static JournalLine decode(byte[] bytes, End before) throws BadLine {
        JournalLine line = decode(bytes);
        if (line.seq != before.seq()) {
            throw new BadLine("it is number " + line.seq + " instead of " + before.seq());
        }
        if (line.previous != before.crc()) {
            throw new BadLine("it does not continue the line before");
        }
        return line;
    }

    /** Reads one line wherever it stands in the chain. */
    public static JournalLine decode(byte[] bytes) throws BadLine {
        int end = bytes.length - TRAILER;
        if (end < 1 || !isTrailer(bytes, end)) {
            throw new BadLine("it does not end with a checksum");
        }
        if (checksum(bytes, end) != crcOf(bytes)) {
            throw new BadLine("its checksum does not match");
        }
        try {
            return of(Json.parse(bytes));
        } catch (JsonException e) {
            throw new BadLine("it is not JSON: " + e.getMessage());
        }
    }

    public static End after(End before, byte[] bytes) {
        return new End(before.seq() + 1, crcOf(bytes), before.bytes() + bytes.length + 1);
    }

    /** Whether a line that is not framed like ours says that a newer version wrote it. */
    static boolean claimsNewer(byte[] bytes) {
        if (bytes.length > TRAILER && isTrailer(bytes, bytes.length - TRAILER)) {
            return false; // our frame with a wrong checksum is damage
        }
        try {
            return Json.parse(bytes).at("v").asLong() > VERSION;
        } catch (JsonException e) {
            return false;
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static JournalLine of(JsonValue json) throws BadLine {
        if (!json.at("v").isNumber() || !json.at("seq").isNumber() || !json.at("t").isText()) {
            throw new BadLine("it lacks v, seq or t");
        }
        return new JournalLine(
                (int) json.at("v").asLong(),
                json.at("seq").asLong(),
                json.at("ts").asLong(),
                json.at("mono").asLong(),
                json.at("run").text(),
                json.at("t").text(),
                json.at("d"),
                unhex(json.at("pc").text()));
    }

    private static boolean isTrailer(byte[] bytes, int at) {
        for (int i = 0; i < CRC_FIELD.length(); i++) {
            if (bytes[at + i] != CRC_FIELD.charAt(i)) {
                return false;
            }
        }
        for (int i = 0; i < 8; i++) {
            if (HEX.indexOf(bytes[at + CRC_FIELD.length() + i]) < 0) {
                return false;
            }
        }
        return bytes[at + TRAILER - 2] == '"' && bytes[at + TRAILER - 1] == '}';
    }

    private static int crcOf(byte[] bytes) {
        return unhex(new String(bytes, bytes.length - 10, 8, StandardCharsets.US_ASCII));
    }

    private static int unhex(String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            value = value << 4 | HEX.indexOf(digits.charAt(i));
        }
        return value;
    }

    private static String hex(int value) {
        char[] digits = new char[8];
        for (int i = 7, rest = value; i >= 0; i--, rest >>>= 4) {
            digits[i] = HEX.charAt(rest & 15);
        }
        return new String(digits);
    }

    /** A line that is not what was written; the message completes "line 7: …". */
    public static final class BadLine extends Exception {
        private static final long serialVersionUID = 1L;

        BadLine(String message) {
            super(message);
        }
    }
}
