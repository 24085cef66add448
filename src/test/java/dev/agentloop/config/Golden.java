package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Generated files: compared, or rewritten with {@code -Dgolden.update=true}. */
public final class Golden {
    private Golden() {}

    public static void check(Path file, String generated) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, generated);
        }
        assertEquals(
                generated,
                Files.readString(file),
                file + " is out of date; run this test with -Dgolden.update=true");
    }

    /** Checks what stands between the two marker lines of a page. */
    static void checkPart(Path file, String name, String generated) throws IOException {
        String begin = "<!-- generated: " + name + " -->\n";
        String end = "<!-- end of generated part -->\n";
        String page = Files.readString(file);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end, from);
        check(file, page.substring(0, from) + generated + page.substring(to));
    }
}
