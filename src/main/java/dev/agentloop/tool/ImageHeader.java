package dev.agentloop.tool;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What the first bytes of a file say about the image in it. A name may lie, and a provider refuses
 * the wrong type, and a stump, only after the whole request was sent.
 */
public final class ImageHeader {
    private static final int MAX_SIDE = 8_000; // pixels; more is refused by some provider

    private final byte[] bytes;
    private long longestSide;

    private ImageHeader(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A type of image that all providers take.
     *
     * @param hasSize whether the header is whole
     * @param tooLarge whether a side has more pixels than all providers take
     */
    public record Kind(String mediaType, boolean hasSize, boolean tooLarge) {}

    /** Empty if it is none of PNG, JPEG, GIF and WebP. */
    public static Optional<Kind> of(byte[] bytes) {
        ImageHeader header = new ImageHeader(bytes);
        if (header.has(0, "\u0089PNG\r\n")) {
            return Optional.of(header.kind("image/png", header.isPng()));
        }
        if (header.has(0, "\u00FF\u00D8\u00FF")) {
            return Optional.of(header.kind("image/jpeg", header.isJpeg()));
        }
        if (header.has(0, "GIF8")) {
            boolean sized = header.isSized(header.size(6, 2, false), header.size(8, 2, false));
            return Optional.of(header.kind("image/gif", sized));
        }
        return header.has(0, "RIFF") && header.has(8, "WEBP")
                ? Optional.of(header.kind("image/webp", header.isWebp()))
                : Optional.empty();
    }

    private boolean isPng() {
        return has(4, "\r\n\u001A\n")
                && has(12, "IHDR")
                && isSized(size(16, 4, true), size(20, 4, true));
    }

    /** Goes from segment to segment to the frame header, which holds the size. */
    private boolean isJpeg() {
        int at = 2;
        while (at + 4 <= bytes.length && unsigned(at) == 0xFF) {
            int marker = unsigned(at + 1);
            if (marker == 0xFF) { // a fill byte
                at++;
                continue;
            }
            boolean frame = marker >= 0xC0 && marker <= 0xCF;
            if (frame && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
                return isSized(size(at + 5, 2, true), size(at + 7, 2, true));
            }
            boolean bare = marker == 0x01 || marker >= 0xD0 && marker <= 0xD9;
            long length = bare ? 0 : size(at + 2, 2, true);
            if (!bare && length < 2) {
                return false;
            }
            at += (int) length + 2;
        }
        return false;
    }

    private boolean isWebp() {
        if (has(12, "VP8 ")) { // a lossy frame; its size has two bits of scaling above it
            return has(23, "\u009D\u0001*")
                    && isSized(size(26, 2, false) & 0x3FFF, size(28, 2, false) & 0x3FFF);
        }
        if (has(12, "VP8L")) { // the size, minus one, follows the signature
            return has(20, "/") && bytes.length >= 25;
        }
        return has(12, "VP8X") // the size, minus one, ends its header
                && bytes.length >= 30
                && isSized(size(24, 3, false) + 1, size(27, 3, false) + 1);
    }

    private Kind kind(String mediaType, boolean hasSize) {
        return new Kind(mediaType, hasSize, longestSide > MAX_SIDE);
    }

    private boolean isSized(long width, long height) {
        longestSide = Math.max(width, height);
        return width > 0 && height > 0;
    }

    private boolean has(int at, String expected) {
        byte[] wanted = expected.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < at + wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** A number of so many bytes; 0 if the file ends before it does. */
    private long size(int at, int count, boolean highFirst) {
        if (bytes.length < at + count) {
            return 0;
        }
        long number = 0;
        for (int i = 0; i < count; i++) {
            number = number << 8 | unsigned(highFirst ? at + i : at + count - 1 - i);
        }
        return number;
    }

    private int unsigned(int at) {
        return bytes[at] & 0xFF;
    }
}
