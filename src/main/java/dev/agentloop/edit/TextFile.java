package dev.agentloop.edit;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/** A text file in memory. Splicing it leaves every byte outside of the splices as it was. */
public final class TextFile {
    private final byte[] bytes;
    private final TextEncoding encoding;
    private final String text;

    private TextFile(byte[] bytes, TextEncoding.Decoded decoded) {
        this.bytes = bytes;
        this.encoding = decoded.encoding();
        this.text = decoded.text();
    }

    /** Empty if the bytes are not text. */
    public static Optional<TextFile> of(byte[] bytes) {
        return TextEncoding.decode(bytes).map(decoded -> new TextFile(bytes, decoded));
    }

    public String text() {
        return text;
    }

    public TextEncoding encoding() {
        return encoding;
    }

    /**
     * The bytes after the splices.
     *
     * @param splices in ascending order, not overlapping
     */
    public byte[] spliced(List<Splice> splices) throws EditException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 256);
        int chars = 0;
        int done = 0;
        int at = encoding.markLength();
        for (Splice splice : splices) {
            int start = at + bytesOf(text.substring(chars, splice.start())).length;
            out.write(bytes, done, start - done);
            out.writeBytes(bytesOf(splice.replacement()));
            at = start + bytesOf(text.substring(splice.start(), splice.end())).length;
            done = at;
            chars = splice.end();
        }
        out.write(bytes, done, bytes.length - done);
        return out.toByteArray();
    }

    private byte[] bytesOf(String part) throws EditException {
        return encoding.encode(part)
                .orElseThrow(() ->
                        new EditException(
                                ("The new text has characters that %s, the file's encoding,"
                                                + " cannot express. Nothing was changed.")
                                        .formatted(encoding.label())));
    }
}
