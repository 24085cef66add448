package dev.agentloop.boot;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;

/** The arguments as bytes, from the kernel: Java has already lost what the locale cannot say. */
final class RawArguments {
    private RawArguments() {}

    /**
     * The last {@code count} arguments in hex, joined by commas, or null when plain Java strings
     * do: all of them ASCII, or no /proc here.
     */
    static String hexOrNull(int count) {
        byte[] line;
        try (InputStream in = new FileInputStream("/proc/self/cmdline")) {
            line = readAll(in);
        } catch (IOException noProc) {
            return null;
        }
        int start = startOfLast(line, count);
        boolean ascii = true;
        StringBuilder hex = new StringBuilder((line.length - start) * 2);
        for (int i = start; i < line.length; i++) {
            ascii &= line[i] >= 0;
            if (line[i] != 0) {
                hex.append(Character.forDigit(line[i] >> 4 & 15, 16));
                hex.append(Character.forDigit(line[i] & 15, 16));
            } else if (i < line.length - 1) {
                hex.append(',');
            }
        }
        return ascii ? null : hex.toString();
    }

    /**
     * Too long for the environment: a file only we can read, named "@path"; its reader deletes it.
     */
    static String file(String hex) throws IOException {
        // createTempFile of nio gives 0600 from the start
        File file = Files.createTempFile("agent-argv-", ".hex").toFile();
        try (OutputStream out = new FileOutputStream(file)) {
            out.write(hex.getBytes("US-ASCII"));
        }
        return "@" + file;
    }

    /** Each argument ends with a zero byte. */
    private static int startOfLast(byte[] line, int count) {
        int start = line.length;
        for (int left = count; left > 0 && start > 0; left--) {
            start--;
            while (start > 0 && line[start - 1] != 0) {
                start--;
            }
        }
        return start;
    }

    private static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            all.write(buffer, 0, n);
        }
        return all.toByteArray();
    }
}
