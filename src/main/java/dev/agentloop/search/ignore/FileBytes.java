package dev.agentloop.search.ignore;

import java.nio.charset.StandardCharsets;

/** Byte strings: one character, 0 to 255, for each byte, because git and grep match bytes. */
final class FileBytes {
    private FileBytes() {}

    /** The UTF-8 bytes of a name; most names are their own bytes. */
    static String ofName(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) > 127) {
                return ofBytes(name.getBytes(StandardCharsets.UTF_8));
            }
        }
        return name;
    }

    static String ofBytes(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
