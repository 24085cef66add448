package dev.agentloop.sandbox;

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
final class LivingMark {
    private static final int MOST = 200; // bytes
    private static final int START = 19; // field of the start, behind the name of the process

    private LivingMark() {}

    static String ofThisProcess() {
        long pid = ProcessHandle.current().pid();
        return pid + " " + start(pid) + "\n";
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
            return ProcessHandle.of(pid).isPresent()
                    && start(pid).equals(text.substring(text.indexOf(' ') + 1));
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether a process still runs, by the two words of its mark. */
    static boolean lives(String pid, String start) {
        return pid.matches("\\d{1,18}")
                && ProcessHandle.of(Long.parseLong(pid)).isPresent()
                && start(Long.parseLong(pid)).equals(start);
    }

    /** In ticks since the machine's own start, which no change of its clock moves. */
    private static String start(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return fields[START];
        } catch (IOException | IndexOutOfBoundsException e) {
            return "unknown"; // where there is no such file, the id alone has to do
        }
    }
}
