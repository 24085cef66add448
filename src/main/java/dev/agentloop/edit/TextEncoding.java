package dev.agentloop.edit;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Encodings that survive a round trip byte for byte. */
public enum TextEncoding {
    UTF_8("UTF-8", StandardCharsets.UTF_8),
    UTF_8_BOM("UTF-8 with BOM", StandardCharsets.UTF_8, 0xEF, 0xBB, 0xBF),
    UTF_16LE("UTF-16LE", StandardCharsets.UTF_16LE, 0xFF, 0xFE),
    UTF_16BE("UTF-16BE", StandardCharsets.UTF_16BE, 0xFE, 0xFF),
    /** Any bytes are text in it, so it stands for every unknown single-byte encoding. */
    ISO_8859_1("ISO-8859-1", StandardCharsets.ISO_8859_1);

    private static final int SNIFFED = 8 * 1024; // a NUL in the first 8 KB means binary, as in git

    private final String label;
    private final Charset charset;
    private final byte[] mark;

    TextEncoding(String label, Charset charset, int... mark) {
        this.label = label;
        this.charset = charset;
        this.mark = new byte[mark.length];
        for (int i = 0; i < mark.length; i++) {
            this.mark[i] = (byte) mark[i];
        }
    }

    /** A text and the encoding it was read with. */
    public record Decoded(String text, TextEncoding encoding) {}

    /** Decodes without loss; empty if the bytes are not text. */
    public static Optional<Decoded> decode(byte[] bytes) {
        for (TextEncoding encoding : candidates(bytes)) {
            Optional<String> text = encoding.strictly(bytes);
            if (text.isPresent()) {
                return text.filter(TextEncoding::isText).map(t -> new Decoded(t, encoding));
            }
        }
        return Optional.empty();
    }

    /** Name for people and models. */
    public String label() {
        return label;
    }

    /** Length of the byte order mark. */
    public int markLength() {
        return mark.length;
    }

    /** The bytes of {@code text} without a mark; empty if a character has none. */
    public Optional<byte[]> encode(String text) {
        try {
            ByteBuffer bytes =
                    charset.newEncoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .encode(CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return Optional.of(exact);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static TextEncoding[] candidates(byte[] bytes) {
        for (TextEncoding encoding : new TextEncoding[] {UTF_8_BOM, UTF_16LE, UTF_16BE}) {
            if (encoding.isMarkOf(bytes)) {
                return new TextEncoding[] {encoding, ISO_8859_1};
            }
        }
        return new TextEncoding[] {UTF_8, ISO_8859_1};
    }

    private boolean isMarkOf(byte[] bytes) {
        if (bytes.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if (bytes[i] != mark[i]) {
                return false;
            }
        }
        return true;
    }

    private Optional<String> strictly(byte[] bytes) {
        try {
            ByteBuffer body = ByteBuffer.wrap(bytes, mark.length, bytes.length - mark.length);
            return Optional.of(charset.newDecoder().decode(body).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean isText(String text) {
        int nul = text.indexOf('\0');
        return nul < 0 || nul >= SNIFFED;
    }
}
