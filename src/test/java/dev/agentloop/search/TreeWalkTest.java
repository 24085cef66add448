package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeWalkTest {
    @TempDir Path root;
    private final Cancellation cancellation = new Cancellation();

    @Test
    @Tag("B35")
    @DisplayName("ignore files are honoured, links are not followed, order is by name")
    void ignoredFilesAreLeftOutAndLinksNotFollowed() throws IOException {
        for (String file :
                List.of(
                        ".git/config",
                        "node_modules/m/index.js",
                        "build/out.o",
                        "src/a.txt",
                        "src/b.log",
                        "src/keep.log",
                        "src/gen/x.txt",
                        "lib/gen/y.txt",
                        "doc/only here.md")) {
            create(file, "x");
        }
        create(".gitignore", "# comment\n\n*.log\n!keep.log\n/build/\nsrc/gen\n");
        create("lib/.gitignore", "gen/\n");
        Files.createSymbolicLink(root.resolve("loop"), root);
        assertEquals(
                List.of(
                        ".gitignore",
                        "doc/",
                        "doc/only here.md",
                        "lib/",
                        "lib/.gitignore",
                        "loop",
                        "src/",
                        "src/a.txt",
                        "src/keep.log"),
                below(root));
    }

    @Test
    void anIgnoredFolderCanBeSearchedByName() throws IOException {
        create(".gitignore", "build/**\n");
        create("build/out/a.txt", "x");
        assertEquals(List.of("build/out/a.txt"), below(root.resolve("build/out")));
    }

    @Test
    void namesWithControlCharactersAreShownAsJson() throws IOException {
        create("a\nb\u001B.txt", "x");
        assertEquals(List.of("\"a\\nb\\u001B.txt\""), below(root));
    }

    @Test
    void aCancelledWalkStops() throws IOException {
        create("a", "x");
        cancellation.cancel(new Cause.Abort());
        assertThrows(SearchDeadline.Passed.class, () -> below(root));
    }

    private List<String> below(Path start) throws IOException {
        List<String> seen = new ArrayList<>();
        SearchDeadline deadline = new SearchDeadline(Duration.ofMinutes(1), cancellation);
        new TreeWalk(root, deadline)
                .below(
                        start,
                        entry -> {
                            seen.add(entry.shown() + (entry.isFolder() ? "/" : ""));
                            return true;
                        });
        return seen;
    }

    private void create(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
