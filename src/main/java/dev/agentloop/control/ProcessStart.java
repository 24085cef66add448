package dev.agentloop.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** When a process began, which tells it from a later one with the same number. */
public final class ProcessStart {
    private static final int FIELD = 19; // behind the name of the process

    private ProcessStart() {}

    /**
     * In ticks since the machine's own start, which no change of its clock moves; {@code 0} where
     * the system does not tell, so that the number alone has to do.
     */
    public static String of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return fields[FIELD];
        } catch (IOException | IndexOutOfBoundsException e) {
            return "0";
        }
    }

    /** Whether the process of that number still runs and is no later one. */
    public static boolean isAlive(long pid, String start) {
        return ProcessHandle.of(pid).isPresent() && of(pid).equals(start);
    }
}
