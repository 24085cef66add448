package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As a command in the background could, while the file tools work. */
@Timeout(180)
class SwappedPathsTest {
    private static final int SWAPS = 100_000;
    private static final String SECRET = "outside-canary";

    @TempDir Path folder;

    @Test
    @Tag("D08")
    @DisplayName("of 100,000 swaps of files and folders for links none gets a tool outside")
    void linksInTheWay() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        for (String name : List.of("f", "gone", "moved")) {
            Files.writeString(outside.resolve(name), SECRET + "\n");
        }
        ToolFixture tools = ToolFixture.in(Files.createDirectory(folder.resolve("ws")));
        tools.write("sub/f", "inside\n");
        tools.write("f", "inside\n");
        Files.createSymbolicLink(tools.path("sub2"), outside);
        Files.createSymbolicLink(tools.path("f2"), outside.resolve("f"));

        CompletableFuture<Void> swapper = CompletableFuture.runAsync(() -> swap(tools));
        List<String> said = new ArrayList<>();
        int worked = 0;
        while (!swapper.isDone()) {
            for (ToolResult result : attempt(tools)) {
                worked += result.isError() ? 0 : 1;
                said.add(result.text());
            }
            assertTrue(said.stream().noneMatch(text -> text.contains(SECRET)), said::toString);
            said.clear();
        }
        swapper.get();

        assertTrue(worked > 100, worked + " calls worked");
        assertEquals(List.of("f", "gone", "moved"), names(outside));
        for (String name : names(outside)) {
            assertEquals(SECRET + "\n", Files.readString(outside.resolve(name)));
        }
    }

    private static List<ToolResult> attempt(ToolFixture tools) throws IOException {
        List<ToolResult> results = new ArrayList<>();
        for (String file : List.of("sub/f", "f")) {
            results.add(tools.call("read_file", "file_path", file));
            results.add(
                    tools.call(
                            "edit_file", "file_path", file, "old_string", "i", "new_string", "j"));
            results.add(tools.call("write_file", "file_path", file, "content", "inside\n"));
        }
        results.add(tools.call("grep", "pattern", "canary", "path", "."));
        results.add(tools.call("write_file", "file_path", "sub/gone", "content", "inside\n"));
        results.add(tools.call("delete_file", "file_path", "sub/gone"));
        results.add(
                tools.call("move_file", "source_path", "sub/moved", "destination_path", "taken"));
        Files.deleteIfExists(tools.path("taken"));
        results.add(tools.call("write_file", "file_path", "mine", "content", "mine\n"));
        results.add(tools.call("move_file", "source_path", "mine", "destination_path", "sub/mine"));
        return results;
    }

    private void swap(ToolFixture tools) {
        try {
            for (int i = 0; i < SWAPS / 2; i++) {
                exchange(tools, "sub");
                exchange(tools, "f");
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void exchange(ToolFixture tools, String name) throws IOException {
        Path one = tools.path(name);
        Path away = tools.path(name + "-away");
        try {
            Files.move(one, away, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // a tool may hold it aside, or have removed what it had made there
        }
        while (true) {
            try {
                Files.move(tools.path(name + "2"), one, StandardCopyOption.ATOMIC_MOVE);
                break;
            } catch (FileSystemException e) {
                empty(one); // a tool has made it anew meanwhile
            }
        }
        Files.move(away, tools.path(name + "2"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void empty(Path made) {
        File[] files = made.toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
            var _ = file.delete();
        }
        var _ = made.toFile().delete(); // or once more, if a tool was quicker
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
