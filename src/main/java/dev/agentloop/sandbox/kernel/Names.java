package dev.agentloop.sandbox.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Names of files as the kernel has them: bytes, here as one character each, in no alphabet. */
final class Names {
    private static final String SELF = "/proc/self/";
    private static final String SELF_THREAD = "/proc/thread-self/";
    private static final String DESCRIPTORS = "/dev/fd/";

    private Names() {}

    static String bytesOf(Path path) {
        String text = path.toString();
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** What a process calls itself, as another one has to call it. */
    static String asSeenBy(int process, String name) {
        String clean = clean(name);
        for (String own : Arrays.asList(SELF, SELF_THREAD)) {
            if (clean.startsWith(own)) {
                return "/proc/" + process + "/" + clean.substring(own.length());
            }
        }
        return clean.startsWith(DESCRIPTORS)
                ? "/proc/" + process + "/fd/" + clean.substring(DESCRIPTORS.length())
                : name;
    }

    /** The same name without {@code //} and {@code /./}. */
    private static String clean(String name) {
        StringBuilder clean = new StringBuilder();
        boolean afterSlash = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (afterSlash && c == '.' && i + 1 < name.length() && name.charAt(i + 1) == '/') {
                i++;
            } else if (!afterSlash || c != '/') {
                clean.append(c);
                afterSlash = c == '/';
            }
        }
        return clean.toString();
    }

    /** Whether a file lies in a folder or is it. */
    static boolean isIn(String folder, String file) {
        return file.equals(folder) || folder.equals("/") || file.startsWith(folder + "/");
    }
}
