package dev.agentloop.sandbox.watch;

import dev.agentloop.control.ProcessStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A file that holds the id and the start of a process, and means something only while that lives:
 * whoever is killed cannot take it away. One that names no process, as one that is just being
 * written, counts: it only ever forbids.
 */
public final class ProcessMark {
    private static final int MOST = 200; // bytes

    private ProcessMark() {}

    static String ofThisProcess() {
        long pid = ProcessHandle.current().pid();
        return pid + " " + ProcessStart.of(pid) + "\n";
    }

    static boolean counts(Path file) {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String text = new String(in.readNBytes(MOST), StandardCharsets.UTF_8).strip();
            if (!text.matches("\\d{1,18} \\S+")) {
                return true;
            }
            long pid = Long.parseLong(text.substring(0, text.indexOf(' ')));
            return ProcessStart.isAlive(pid, text.substring(text.indexOf(' ') + 1));
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether a process still runs, by the two words of its mark. */
    public static boolean lives(String pid, String start) {
        return pid.matches("\\d{1,18}") && ProcessStart.isAlive(Long.parseLong(pid), start);
    }
}
