package dev.agentloop.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Processes that carry the mark of one {@link World} in their environment. */
final class WorldProcesses {
    private final String mark;
    private final Set<Long> running = ConcurrentHashMap.newKeySet();

    WorldProcesses(String mark) {
        this.mark = mark;
    }

    /** The test has started this process and will end it. */
    void isRunning(long pid) {
        running.add(pid);
    }

    void hasEnded(long pid) {
        running.remove(pid);
    }

    /** Those that the test does not know to be running. */
    private List<Path> strays() {
        List<Path> found = new ArrayList<>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                boolean known = running.contains(Long.valueOf(process.getFileName().toString()));
                if (!known && isOurs(process)) {
                    found.add(process);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** So that a test that fails leaves nothing behind. */
    void killStrays() {
        Await.until(
                "the end of all children",
                () -> {
                    List<Path> strays = strays();
                    for (Path stray : strays) {
                        ProcessHandle.of(Long.parseLong(stray.getFileName().toString()))
                                .ifPresent(ProcessHandle::destroyForcibly);
                    }
                    return strays.isEmpty();
                });
    }

    /** Nothing of the run lives, or it ends within this time. */
    void checkNothingAlive(Duration within) {
        if (!running.isEmpty()) {
            return; // two processes share this world; the last one is checked for both
        }
        if (!Await.holdsWithin(within, () -> strays().isEmpty())) {
            List<String> commands = strays().stream().map(p -> text(p.resolve("cmdline"))).toList();
            killStrays();
            throw new AssertionError("G5 still alive: " + commands);
        }
    }

    private boolean isOurs(Path process) {
        return text(process.resolve("environ")).contains(mark)
                && !text(process.resolve("cmdline")).isEmpty(); // a zombie has none
    }

    /** What a file of the system says; empty if it is gone. */
    static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // its process has just ended
        }
    }
}
