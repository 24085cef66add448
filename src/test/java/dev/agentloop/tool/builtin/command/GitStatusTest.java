package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitStatusTest {
    private static final String HOSTILE =
            """
            git init -q . && echo '* filter=a=b' >.gitattributes
            echo 1 >changed; echo 1 >same; echo 1 >staged; echo 1 >gone
            git add -A && git -c user.name=x -c user.email=x commit -qm x
            echo 2 >changed; echo 2 >staged; git add staged; rm gone; echo 1 >new; touch same
            bite="touch $PWD/../bitten; cat"
            git config filter.a=b.clean "$bite"; git config filter.a=b.process "$bite"
            git config filter.a=b.required true
            git config core.fsmonitor "$bite"; git config diff.external "$bite"
            git config core.pager "$bite"; git config core.sshCommand "$bite"
            """;

    @TempDir Path folder;

    @Test
    @Tag("B50")
    @DisplayName("what git is asked runs no program that the repository configures")
    void hostile() throws Exception {
        Path root = Files.createDirectory(folder.resolve("repo"));
        shell(root, HOSTILE);
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
        Optional<List<Path>> files =
                new GitStatus(runner, new Cancellation()).in(root, List.of("checkout", "HEAD"));
        List<String> names =
                files.orElseThrow().stream().map(file -> root.relativize(file).toString()).toList();
        assertTrue(names.containsAll(List.of("changed", "staged", "new", "gone")), names::toString);
        assertFalse(Files.exists(folder.resolve("bitten")), "a program of the repository ran");
        shell(root, "git status >/dev/null; true");
        assertTrue(Files.exists(folder.resolve("bitten")), "the trap bites those who are careless");
    }

    @Test
    @Tag("B49")
    @DisplayName("where there is no repository, git will change nothing")
    void noRepository() {
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
        assertEquals(
                Optional.of(List.of()),
                new GitStatus(runner, new Cancellation()).in(folder, List.of("reset")));
    }

    private static void shell(Path folder, String script) throws IOException, InterruptedException {
        Process shell =
                new ProcessBuilder("sh", "-c", script)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes());
        assertEquals(0, shell.waitFor(), said);
    }
}
