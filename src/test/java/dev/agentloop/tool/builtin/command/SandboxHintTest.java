package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.process.CommandOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SandboxHintTest {
    private static String hint(int code, String said) {
        return hint(code, said, new SandboxHint.Setting("x", true, true, true, List.of()));
    }

    private static String hint(int code, String said, SandboxHint.Setting setting) {
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
        return SandboxHint.of(outcome, setting);
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
    @DisplayName("where a server of the run cannot be reached, the result says why and what to do")
    void aServerOutOfReach() {
        List<String> server = List.of("b1 (npm start)");
        String said = "curl: (7) Failed to connect to localhost port 3000: Connection refused";
        var shared = new SandboxHint.Setting("curl localhost:3000", true, true, true, server);
        assertEquals("", hint(7, said, shared));
        var alone = new SandboxHint.Setting("curl localhost:3000", true, false, true, server);
        assertTrue(hint(7, said, alone).contains("in one command"));
        var none = new SandboxHint.Setting("curl localhost:3000", true, false, true, List.of());
        assertEquals("", hint(7, said, none));
        var yours = new SandboxHint.Setting("curl localhost:3000", true, true, true, List.of());
        assertTrue(hint(7, said, yours).contains("runs on the machine"));
        assertEquals(
                "",
                hint(
                        7,
                        "connection refused by peer",
                        new SandboxHint.Setting("x", true, true, true, List.of())));
        var granted = new SandboxHint.Setting("curl localhost:3000", false, true, true, server);
        assertTrue(hint(7, said, granted).contains("Call it without"));
    }

    @Test
    @DisplayName("a command that would end another one is told of stop_command")
    void processesOfAnother() {
        List<String> server = List.of("b1 (npm start)");
        String said = "sh: kill: (12) - No such process";
        var kill = new SandboxHint.Setting("sleep 1 && kill 12", true, true, false, server);
        assertTrue(hint(1, said, kill).contains("stop_command ends a command in the background"));
        assertTrue(hint(1, said, kill).contains("b1 (npm start)"));
        assertEquals("", hint(1, "make: *** [all] Error 2", kill));
        var find = new SandboxHint.Setting("pgrep -f npm", true, true, false, server);
        assertTrue(hint(1, "", find).contains("neither see nor end"));
        var shared = new SandboxHint.Setting("pgrep -f npm", true, true, true, server);
        assertEquals("", hint(1, "", shared));
        assertEquals(
                "", hint(1, "", new SandboxHint.Setting("pgrep x", true, true, false, List.of())));
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

    @Test
    @DisplayName("what no option opens is named with a way around it")
    void closed() {
        String leaks = "==7==LeakSanitizer has encountered a fatal error.";
        assertTrue(hint(1, leaks).contains("detect_leaks=0"));
        assertTrue(hint(1, "ptrace: Operation not permitted.").contains("trace another"));
        String socket = "Error: listen EPERM: operation not permitted /tmp/x.sock";
        assertTrue(hint(1, socket).contains("127.0.0.1"));
        String lock =
                "File \"/usr/lib/python3.11/multiprocessing/synchronize.py\", line 57\n"
                        + "PermissionError: [Errno 13] Permission denied";
        assertTrue(hint(1, lock).contains("/dev/shm"));
        assertTrue(hint(1, "sh: 1: cannot create /tmp/zz: Permission denied").contains("$TMPDIR"));
        assertTrue(hint(1, "open('/tmp/zz'): Permission denied").contains("$TMPDIR"));
        assertEquals("", hint(1, "kill: (12) - Operation not permitted"));
        assertEquals("", hint(1, "cat: /tmp/ws/secret: Permission denied"));
        assertEquals("", hint(0, leaks));
    }
}
