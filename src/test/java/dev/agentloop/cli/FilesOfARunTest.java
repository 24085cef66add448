package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesOfARunTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @Tag("D33")
    @DisplayName("the log file is the user's alone")
    void theLogFileIsPrivate() throws Exception {
        assertEquals(0, demo("--log-file", "log.jsonl"), this::words);

        Path log = folder.resolve("log.jsonl");
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(log)));
    }

    @Test
    void aRunThatNeverBeganLeavesTheAnswerFileAlone() throws Exception {
        Path answer = Files.writeString(folder.resolve("answer.md"), "old");

        assertEquals(4, run("run", "-m", "openai/x", "-o", "answer.md", "hi"), this::words);

        assertEquals("old", Files.readString(answer));
    }

    @Test
    void theAnswerIsInItsFile() throws Exception {
        assertEquals(0, demo("-o", "answer.md"), this::words);

        assertTrue(
                Files.readString(folder.resolve("answer.md")).startsWith("[scripted demo] Done"));
    }

    @Test
    @DisplayName("an answer file that cannot be written makes the run fail, and the result says so")
    void aLostAnswerIsAFailure() {
        assertEquals(1, demo("--json", "-o", "/dev/full"), this::words);

        assertTrue(words().contains("\"stop_reason\":\"output_lost\""), words());
        assertTrue(words().contains("/dev/full cannot be written"), words());
    }

    @Test
    @Tag("D53")
    @DisplayName("a prompt may look like an option")
    void aPromptMayLookLikeAnOption() {
        assertEquals(0, run("run", "-m", "demo/scripted", "-p", "--yolo"), this::words);
    }

    @Test
    @Tag("D31")
    @Tag("D32")
    @DisplayName("the provider's key never reaches a command, whatever its variable is called")
    void theKeyNeverReachesACommand() {
        String[] words = {
            "tools",
            "run",
            "run_command",
            "{\"command\":\"env\"}",
            "--yolo",
            "--sandbox",
            "off",
            "--api-key-env",
            "NODE_LLM"
        };

        assertEquals(0, run(words), this::words);
        assertTrue(words().contains("HOME="), words());
        assertFalse(words().contains("zzz-canary"), words());
    }

    private int demo(String... more) {
        String[] words = new String[more.length + 4];
        words[0] = "run";
        words[1] = "-m";
        words[2] = "demo/scripted";
        words[3] = "fix";
        System.arraycopy(more, 0, words, 4, more.length);
        return run(words);
    }

    private int run(String... words) {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("TMPDIR", folder.toString());
        environment.put("NODE_LLM", "zzz-canary");
        Streams streams = new Streams(InputStream.nullInputStream(), out, err, true, false, false);
        return Cli.run(words, new Invocation(streams, environment, folder, folder, false));
    }

    private String words() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }
}
