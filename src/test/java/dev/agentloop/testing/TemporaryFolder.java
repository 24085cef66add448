package dev.agentloop.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for a fixture that is not told where to work. */
final class TemporaryFolder {
    private TemporaryFolder() {}

    static Path create() {
        try {
            Path folder = Files.createTempDirectory("agent-fixture-");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
