package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Folders where commands in a sandbox see them: their /tmp is another one. */
public final class OutsideTmp implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
            throws IOException {
        return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "sandbox");
    }
}
