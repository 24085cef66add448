package dev.agentloop.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secret files that git does not keep are hidden from commands, wherever the repository is. */
class SecretFilesTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", System.getenv("PATH"));

    @TempDir private Path folder;
    private Path root;

    @BeforeEach
    void workspace() throws IOException {
        root = Files.createDirectory(folder.toRealPath().resolve("ws"));
        Files.writeString(root.resolve(".env"), "TOKEN=1");
    }

    private static List<String> hidden(Path root, String... sensitive) {
        return SecretFiles.in(root, true, List.of(sensitive), ENVIRONMENT).stream()
                .map(path -> root.relativize(path).toString())
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("without a repository all are hidden")
    void noRepository() {
        assertEquals(List.of(".env"), hidden(root));
    }

    @Test
    @DisplayName("a kept file of the same name elsewhere shows no other one")
    void onlyTheSamePath() throws Exception {
        GitShell.run(
                root,
                "git init -q; mkdir -p com a/sub sub; for f in com/.env a/sub/.env sub/.env"
                        + " com/.netrc .netrc; do echo x > $f; done; git add com a; git commit -qm 1");

        assertEquals(List.of(".env", ".netrc", "sub/.env"), hidden(root));
    }

    @Test
    @DisplayName("what git keeps is in sight, also in a worktree and in a folder of the repository")
    void keptInWorktrees() throws Exception {
        GitShell.run(
                root,
                "git init -q; mkdir app; echo y > app/.env; git add -f .env app; git commit -qm 1;"
                        + " git worktree add -q ../tree; echo z > ../tree/app/.netrc");

        assertEquals(List.of(), hidden(root));
        assertEquals(List.of(), hidden(root.resolve("app")));
        assertEquals(List.of("app/.netrc"), hidden(folder.toRealPath().resolve("tree")));
    }

    @Test
    @DisplayName("what is sensitive by the configuration is hidden although git keeps it")
    void sensitive() throws Exception {
        GitShell.run(root, "git init -q; echo 1 > plan.txt; git add -f .env plan.txt");

        assertEquals(List.of("plan.txt"), hidden(root, "plan.txt"));
    }
}
