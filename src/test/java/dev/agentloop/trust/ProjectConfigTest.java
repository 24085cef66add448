package dev.agentloop.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.control.ParallelTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProjectConfigTest {
    private static final int LOOKS = 2000; // the fault came up in one of some dozens

    @TempDir Path workspace;

    @Test
    @Tag("D42")
    @DisplayName("an empty folder that the sandbox of another run makes and removes is none")
    void comesAndGoes() throws IOException {
        Path folder = workspace.resolve(ProjectConfig.FOLDER);
        AtomicBoolean over = new AtomicBoolean();
        ParallelTask<Boolean> otherRuns =
                ParallelTask.start(() -> {
                    while (!over.get()) {
                        Files.createDirectory(folder);
                        Files.delete(folder);
                    }
                    return true;
                });
        try {
            for (int i = 0; i < LOOKS; i++) {
                assertEquals(new ProjectConfig("", List.of(), ""), ProjectConfig.of(workspace));
            }
        } finally {
            over.set(true);
            otherRuns.result();
        }
    }
}
