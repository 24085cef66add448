package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.process.CommandOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SandboxHintTest {
    private static String hint(int code, String said) {
        var kept = new CommandOutcome.Kept("", 0);
        var outcome =
                new CommandOutcome(
                        CommandOutcome.Ending.EXITED,
                        code,
                        new CommandOutcome.Output("", 0, 0, kept),
                        new CommandOutcome.Output(said, said.length(), 0, kept),
                        Duration.ZERO,
                        List.of(),
                        List.of(),
                        List.of());
        return SandboxHint.of(outcome, true);
    }

    @Test
    void aCacheThatCannotBeWrittenGetsAFolderForTemporaryFiles() {
        for (String said :
                List.of(
                        "npm error EROFS: read-only file system, mkdtemp '/root/.npm/_cacache/tmp/o'",
                        "npm error Error: EACCES: permission denied, mkdir '/home/a/.npm/_cacache'",
                        "npm error code EACCES\nnpm error path /root/.npm/_cacache/tmp/1\n",
                        "npm ERR! code ENOENT\nnpm ERR! path /root/.npm/_cacache/tmp/1\n",
                        "open /home/a/go/pkg/mod/cache/lock: permission denied")) {
            assertTrue(hint(1, said).contains("$TMPDIR"), said);
        }
        assertEquals("", hint(0, "EROFS: read-only file system, mkdtemp '/root/.npm/x'"));
        assertEquals("", hint(1, "npm error see /root/.npm/_logs/1.log"));
        assertEquals("", hint(1, "cp: /etc/passwd: Permission denied"));
    }

    @Test
    void hiddenSettingsOfMavenHaveARemedy() {
        String said =
                "[ERROR] Non-readable settings /home/a/.m2/settings.xml:"
                        + " /home/a/.m2/settings.xml (Permission denied)";
        assertTrue(hint(1, said).contains("mvn -s FILE"));
    }

    @Test
    void whereTheNetworkIsMissingThatIsSaid() {
        assertTrue(
                hint(6, "curl: (6) Could not resolve host: a.example").contains("network: true"));
    }
}
