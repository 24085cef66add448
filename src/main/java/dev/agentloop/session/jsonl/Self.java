package dev.agentloop.session.jsonl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** This process and its machine, for people and for telling processes apart. */
final class Self {
    private Self() {}

    /** From {@code /proc} where there is one: the first use of ProcessHandle costs 2 ms. */
    static long pid() {
        try {
            return Long.parseLong(Files.readSymbolicLink(Path.of("/proc/self")).toString());
        } catch (IOException | UnsupportedOperationException | NumberFormatException e) {
            return ProcessHandle.current().pid();
        }
    }

    /** Not from InetAddress, which may ask a name server. */
    static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            String name = System.getenv("HOSTNAME");
            return name == null ? "unknown" : name;
        }
    }
}
