package dev.agentloop.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.permission.Circumstances.Confinement;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What "only reads" lets run without a sandbox and without a question. */
final class OnlyReadsTest {
    @TempDir private Path folder;

    @Test
    @Tag("P9")
    @DisplayName("no line that shows a secret, or leaves the workspace, counts as only reading")
    void leaks() throws IOException {
        ToolFixture tools = workspace();
        List<String> lines =
                Files.readAllLines(Path.of("src/test/resources/shell/leaks.txt")).stream()
                        .filter(line -> !line.isBlank())
                        .toList();
        assertTrue(lines.size() >= 150, () -> "only " + lines.size());
        assertEquals(List.of(), running(tools, lines));
    }

    @Test
    @Tag("P9")
    @DisplayName("lines that only read run")
    void reads() throws IOException {
        ToolFixture tools = workspace();
        List<String> lines =
                List.of(
                        "ls -la",
                        "cat a.txt",
                        "grep x a.txt",
                        "grep -rn x src",
                        "rg x src",
                        "diff -u a.txt b.txt",
                        "diff -r src src",
                        "find . -name '*.c'",
                        "du -sh .",
                        "wc -l a.txt",
                        "head -3 a.txt | sort -u",
                        "git status",
                        "git log --oneline -3",
                        "git diff",
                        "cd src && cat main.c",
                        "cd src; ls",
                        "cd src && ls -la main.c",
                        "cd links && ls");
        assertEquals(lines, running(tools, lines));
    }

    private ToolFixture workspace() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        Path root = tools.workspace.root();
        for (String name : List.of(".env", "sub/.env", "a.txt", "b.txt", "src/main.c")) {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), "KEY=canary");
        }
        Path outside = Files.createDirectories(root.resolveSibling("outside"));
        Files.writeString(outside.resolve("file"), "KEY=canary");
        for (String name : List.of("links", "empty", ".git")) {
            Files.createDirectories(root.resolve(name));
        }
        Files.createSymbolicLink(root.resolve("links/out"), outside.resolve("file"));
        Files.createSymbolicLink(root.resolve("links/folder"), outside);
        Files.createSymbolicLink(root.resolve("hidden"), Path.of(".env"));
        return tools;
    }

    /** Those that run without a question where nobody can be asked. */
    private static List<String> running(ToolFixture tools, List<String> lines) {
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        PolicyFixture.where(
                                tools, Confinement.UNCONFINED, Supervision.TRUSTED_UNATTENDED),
                        Guardrails.NONE);
        List<String> running = new ArrayList<>();
        for (String line : lines) {
            Decision decision = policy.decide(PolicyFixture.ready(tools, "run_command", line));
            if (decision.verdict() == Verdict.ALLOW) {
                running.add(line);
            }
        }
        return running;
    }
}
