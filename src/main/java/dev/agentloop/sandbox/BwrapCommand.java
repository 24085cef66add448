package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command in bubblewrap.
 *
 * @param status file in which the shell around the command tells what happens
 */
record BwrapCommand(List<String> argv, Path status, Placeholders.Held held, Watches.Before watch)
        implements Confined {
    private static final int MAX_STATUS = 4096; // bytes; the command may have written to it
    private static final int MAX_LINE = 80; // characters

    @Override
    public Map<String, String> environment() {
        return Map.of("TMPDIR", "/tmp", "TMP", "/tmp", "TEMP", "/tmp");
    }

    @Override
    public boolean isShell() {
        return true;
    }

    @Override
    public Aftermath end() {
        held.release();
        String told = told();
        boolean started = told.startsWith("started\n");
        List<String> left = new ArrayList<>();
        told.lines().skip(1).filter(line -> !line.isBlank()).forEach(line -> left.add(cut(line)));
        return new Aftermath(started, left, started ? watch.after() : List.of());
    }

    private String told() {
        try (var in = Files.newInputStream(status)) {
            String told = new String(in.readNBytes(MAX_STATUS), StandardCharsets.UTF_8);
            Files.deleteIfExists(status);
            return told;
        } catch (IOException e) {
            return ""; // not even the outer shell could start
        }
    }

    private static String cut(String line) {
        String text = line.strip();
        return text.length() > MAX_LINE ? text.substring(0, MAX_LINE) + "…" : text;
    }
}
