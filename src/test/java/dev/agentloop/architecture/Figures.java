package dev.agentloop.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures of the code base, one file each in {@code target/house}, for {@code scripts/house}. */
final class Figures {
    private static final Path FOLDER = Path.of("target/house");

    private Figures() {}

    static void note(String name, String value) {
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(name), value + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
