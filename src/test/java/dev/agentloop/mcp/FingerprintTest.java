package dev.agentloop.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.agentloop.mcp.channel.ServerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FingerprintTest {
    @TempDir Path workspace;

    @Test
    @Tag("D57")
    @DisplayName("what moves from the end of one file to the start of the next is seen")
    void movedBetweenFiles() throws IOException {
        String before = of("A3:b.xB", "C");
        assertEquals(before, of("A3:b.xB", "C"));

        assertNotEquals(before, of("A", "B3:b.xC"));
    }

    @Test
    @Tag("D57")
    @DisplayName("the file in --file=NAME counts as well, and so does what is configured")
    void partsOfWords() throws IOException {
        Files.writeString(workspace.resolve("a.x"), "1");
        String before = of(List.of("--file=a.x"), Map.of("env.LEVEL", "info"));
        assertEquals(before, of(List.of("--file=a.x"), Map.of("env.LEVEL", "info")));
        assertNotEquals(before, of(List.of("--file=a.x"), Map.of("env.LEVEL", "${KEY}")));

        Files.writeString(workspace.resolve("a.x"), "2");
        assertNotEquals(before, of(List.of("--file=a.x"), Map.of("env.LEVEL", "info")));
    }

    private String of(List<String> argv, Map<String, String> declared) throws IOException {
        var program = new ServerSpec.Program(argv, Map.of());
        var spec = new ServerSpec("s", program, List.of(), Duration.ofSeconds(1));
        return Fingerprint.of(spec, declared, workspace);
    }

    private String of(String first, String second) throws IOException {
        Files.writeString(workspace.resolve("a.x"), first);
        Files.writeString(workspace.resolve("b.x"), second);
        var program = new ServerSpec.Program(List.of("a.x", "b.x"), Map.of());
        return Fingerprint.of(
                new ServerSpec("s", program, List.of(), Duration.ofSeconds(1)),
                Map.of(),
                workspace);
    }
}
