package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A text file of the jar with a name a line, in sections; lines with # are for readers. */
enum NameFile {
    BUILDS("/home/builds.txt"),
    CREDENTIALS("/home/credentials.txt");

    private final String file;

    NameFile(String file) {
        this.file = file;
    }

    /** The names below {@code [title]}. */
    List<String> section(String title) {
        List<String> names = new ArrayList<>();
        boolean inside = false;
        for (String line : text().split("\n")) {
            if (line.startsWith("[")) {
                inside = line.equals("[" + title + "]");
            } else if (inside && !line.isBlank() && !line.startsWith("#")) {
                names.add(line);
            }
        }
        return List.copyOf(names);
    }

    private String text() {
        try (InputStream in = NameFile.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no file " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
