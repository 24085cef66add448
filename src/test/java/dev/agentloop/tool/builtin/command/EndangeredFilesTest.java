package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("D67")
@DisplayName("which files a destructive command endangers")
class EndangeredFilesTest {
    @TempDir Path temp;
    private Path root;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectory(temp.toRealPath().resolve("work"));
        for (String name : List.of("a", "b c", "d/x.py", "d/e/y", "d/.git/config", "e.py")) {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), name);
        }
        Files.writeString(temp.resolve("outside"), "");
        Files.createSymbolicLink(root.resolve("out"), temp);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rm a|a",
                "rm -rf -- d|d/e/y d/x.py",
                "sudo X=1 /bin/rm -f 'b c' \"a\"|a b c",
                "rm b\\ c missing|b c",
                "rm *.py $HOME/* \"$x\"|e.py",
                "true; (cd d && rm -r e)|d/e/y",
                "echo rm a|``",
                "ls a && grep x a|``",
                "echo hi > a|a",
                "make >new 2>/dev/null 2>&1|new",
                "cat < a >> e.py|``",
                "mv a e.py|a e.py",
                "mv a d|a d/a",
                "mv d/e there|d/e/y there/y",
                "cp a e.py d|d/a d/e.py",
                "truncate -s 0 a|a",
                "shred -u a|a",
                "find . -name '*.py' -delete|d/x.py e.py",
                "find d -type f -exec rm {} +|d/e/y d/x.py",
                "find d -name x.py|``",
                "git reset --hard|changed",
                "git -C d rm -r e|changed",
                "git log|``",
                "rm ../outside /etc/hosts out/outside .|a b c d/e/y d/x.py e.py out",
            })
    void table(String command, String files) throws IOException {
        assertEquals(Optional.of(files), names(command));
    }

    @Test
    void tooManyOrTooLargeIsNothing() throws IOException {
        Files.createDirectory(root.resolve("many"));
        for (int i = 0; i <= 1_000; i++) {
            Files.createFile(root.resolve("many/" + i));
        }
        assertTrue(names("rm -r many").isEmpty());
        try (var file = new java.io.RandomAccessFile(root.resolve("large").toFile(), "rw")) {
            file.setLength(50_000_001);
        }
        assertTrue(names("rm large").isEmpty());
        assertTrue(names("git clean -fd d", Optional.empty()).isEmpty());
    }

    @Test
    @DisplayName("a command over a large tree is not held up, even where hardly a file is meant")
    void largeTree() throws IOException {
        Files.createDirectory(root.resolve("large"));
        for (int i = 0; i <= 20_000; i++) {
            Files.createFile(root.resolve("large/" + i));
        }
        assertTrue(names("find large -name 7 -delete").isEmpty());
    }

    private Optional<String> names(String command) throws IOException {
        return names(command, Optional.of(List.of(root.resolve("changed"))));
    }

    private Optional<String> names(String command, Optional<List<Path>> git) throws IOException {
        return EndangeredFiles.of(command, root, new Workspace(root), (_, _) -> git)
                .map(files ->
                        String.join(
                                " ",
                                files.stream()
                                        .map(file -> root.relativize(file).toString())
                                        .sorted()
                                        .toList()));
    }
}
