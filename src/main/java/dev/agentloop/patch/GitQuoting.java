package dev.agentloop.patch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Names as git writes them between quotation marks: bytes in octal, and C's escapes. */
final class GitQuoting {
    private static final String ESCAPES = "abtnvfr\"\\";
    private static final String MEANT = "\u0007\b\t\n\u000B\f\r\"\\";

    private GitQuoting() {}

    static String unquoted(String quoted) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < quoted.length(); i++) {
            char c = quoted.charAt(i);
            char next = i + 1 < quoted.length() ? quoted.charAt(i + 1) : '\0';
            if (c != '\\' || next == '\0') {
                int escape = quoted.indexOf('\\', i + 1);
                int end = escape < 0 ? quoted.length() : escape;
                bytes.writeBytes(quoted.substring(i, end).getBytes(StandardCharsets.UTF_8));
                i = end - 1;
            } else if (ESCAPES.indexOf(next) >= 0) {
                bytes.write(MEANT.charAt(ESCAPES.indexOf(next)));
                i++;
            } else if (i + 3 < quoted.length()
                    && quoted.substring(i + 1, i + 4).matches("[0-3][0-7]{2}")) {
                bytes.write(Integer.parseInt(quoted.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                bytes.write('\\');
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
