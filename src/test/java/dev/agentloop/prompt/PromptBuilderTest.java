package dev.agentloop.prompt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromptBuilderTest {
    @Test
    @Tag("S3-2")
    @DisplayName("injectors assemble the prompt in their order; what changes goes with the task")
    void order() {
        ContextInjector first = () -> List.of(part("a", " one\n"), part("b", "two"));
        ContextInjector nothing = () -> List.of(part("c", "  "));
        ContextInjector last = () -> List.of(part("d", "day"));
        PromptBuilder builder = new PromptBuilder(List.of(nothing, first), List.of(last));

        assertEquals("one\n\ntwo", builder.system());
        assertEquals("day", builder.withTask());
        assertEquals(List.of(part("a", "one"), part("b", "two")), builder.systemParts());
    }

    @Test
    @DisplayName("the system prompt is put together without waiting for what goes with the task")
    void lazily() {
        ContextInjector slow =
                () -> {
                    throw new IllegalStateException("asked");
                };
        assertEquals("", new PromptBuilder(List.of(), List.of(slow)).system());
    }

    @Test
    @DisplayName("the structure of a huge project stays small and the same")
    void structure(@TempDir Path root) throws IOException {
        for (int i = 0; i < 40; i++) {
            Path sub = Files.createDirectory(root.resolve("folder-with-a-long-name-" + i));
            for (int j = 0; j < 40; j++) {
                Files.createFile(sub.resolve("file-with-a-long-name-" + j));
            }
        }
        Files.createDirectories(root.resolve("not-shown/inside-of-it"));
        String structure = ProjectStructure.of(root);
        assertFalse(structure.contains("inside-of-it"), structure);
        assertTrue(structure.endsWith(" more\n"), structure);
        assertTrue(structure.length() < 300, () -> structure.length() + " characters");
        assertEquals(structure, ProjectStructure.of(root));
    }

    @Test
    @DisplayName("each folder of the project is shown, however many files the first one holds")
    void shares(@TempDir Path root) throws IOException {
        for (String folder : List.of("docs", "src", "test")) {
            Files.createDirectory(root.resolve(folder));
        }
        for (int i = 10; i < 100; i++) {
            Files.createFile(root.resolve("docs/a-page-with-a-long-name-" + i));
        }
        Files.createFile(root.resolve("src/Main.java"));
        Files.createDirectory(root.resolve("test/unit"));
        String structure = ProjectStructure.of(root);
        assertTrue(structure.startsWith("docs/\n  a-page-with-a-long-name-10\n"), structure);
        assertTrue(structure.contains(" more\nsrc/\n  Main.java\ntest/\n  unit/\n"), structure);
    }

    private static PromptPart part(String name, String text) {
        return new PromptPart(name, "test", text);
    }
}
