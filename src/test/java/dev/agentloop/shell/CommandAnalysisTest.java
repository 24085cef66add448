package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.shell.ShellReading.Clear;
import dev.agentloop.shell.ShellReading.TooComplex;
import dev.agentloop.shell.ShellReading.Unclear;
import dev.agentloop.shell.parse.Findings;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandAnalysisTest {
    @Test
    @Tag("D27")
    @DisplayName("10,000 commands, 1 MB, deep nesting: too complex, whatever form they have")
    void tooComplex() {
        assertTooComplex("a;".repeat(10_000));
        assertTooComplex("a ".repeat(500_000));
        assertTooComplex("echo " + "$(".repeat(200) + ")".repeat(200));
        assertTooComplex("(".repeat(200));
        assertTooComplex("{ ".repeat(200));
        assertTooComplex("echo " + "${x:-".repeat(200));
        assertTooComplex("env ".repeat(200));
        assertTooComplex("echo \"" + "$(echo \"".repeat(60));
        assertTooComplex("cd a; cd b; cd c; cd d; cd e; ls");
        assertTooComplex("cat" + " *".repeat(10_001));
        assertTooComplex("a <<E ".repeat(5_001));
    }

    @Test
    @Tag("D27")
    @DisplayName("just below the limits all is read")
    void belowTheLimits() {
        assertEquals(9_999, Shells.clear("a;".repeat(9_999)).size());
        assertEquals(1, Shells.clear("( ".repeat(50) + "ls" + " )".repeat(50)).size());
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // else it never ends
    @Tag("D27")
    @DisplayName("a script of sed that ends in the middle is read at once")
    void sedWithoutEnd() {
        String script = "'w x;s/" + "\\a".repeat(400) + "'";
        assertInstanceOf(
                Unclear.class,
                CommandAnalysis.of("sed " + script, Shells.WORKSPACE, Shells.WORKSPACE, Shells.HOME)
                        .reading());
    }

    @ParameterizedTest
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // else it never ends
    @Tag("D27")
    @DisplayName("words that may carry code are read at once, whatever they hold")
    @ValueSource(
            strings = {
                "npm --exec-~!",
                "npm exec-~!=x",
                "awk '/a|~'",
                "awk '(~>'",
                "python3 -c '(run ~('",
                "R -e 'run(\"git push\")~'",
                "psql -c '\\d~|'",
                "sqlite3 a.db '.tables\n~.x'",
                "mysql -e ';system x~'",
                "git -c a.b=~:: x",
                "curl -X DELETE http://localhost~@x",
                "make A=!!!~git",
                "echo x; sqlite3 a; ~",
                "cp -t /etc a ~",
                "rm ../a ~",
            })
    void codeOfAnyLength(String line) {
        int tilde = line.indexOf('~');
        String repeated = line.substring(line.indexOf(' ') + 1, tilde);
        for (String part : List.of(repeated, line.substring(tilde - 1, tilde), " ")) {
            String filler = part.repeat(300_000 / part.length());
            Shells.facts(line.replace("~", filler));
        }
    }

    @Test
    @Tag("D27")
    @DisplayName("the work is in proportion to the line")
    void work() {
        String filler = "x".repeat(50);
        for (String part :
                List.of(
                        "a " + filler + ";",
                        "'" + filler,
                        "\"$(",
                        "`",
                        "\\`",
                        "a <<E\n",
                        "2",
                        "x|")) {
            String line = part.repeat(900_000 / part.length() / 10);
            Findings findings = new Findings();
            try {
                CommandAnalysis.read(line, Shells.WORKSPACE, Shells.HOME, findings);
            } catch (Findings.TooComplexException expected) {
                // the other way to keep it short
            }
            assertTrue(findings.work() <= 60L * line.length(), part + ": " + findings.work());
        }
    }

    @Test
    @Tag("D28")
    @DisplayName("random bytes never throw, and never end as something not in the table")
    void randomBytes() {
        Random random = new Random(4711);
        String alphabet = " \t\n\r\\'\"`$(){}[]<>|&;#!*?~=%@:,.-/0123aeLlrmcdEOF\0\u00a0é";
        for (int i = 0; i < 10_000; i++) {
            String line;
            if (i % 2 == 0) {
                byte[] bytes = new byte[random.nextInt(80)];
                random.nextBytes(bytes);
                line = new String(bytes, StandardCharsets.ISO_8859_1);
            } else {
                StringBuilder text = new StringBuilder();
                int length = random.nextInt(80);
                while (text.length() < length) {
                    text.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                line = text.toString();
            }
            ShellReading reading = Shells.facts(line).reading();
            if (reading instanceof Unclear unclear) {
                assertFalse(unclear.reason().contains("could not be read"), unclear::reason);
            }
            if (reading instanceof Clear clear) {
                clear.commands().forEach(CommandAnalysisTest::assertSameAgain);
            }
        }
    }

    @ParameterizedTest
    @Tag("scenario-41")
    @DisplayName("paths outside the workspace are named")
    @CsvSource(
            delimiter = '%',
            value = {
                "cat /etc/passwd % /etc/passwd",
                "cat ../x % /agent-test/x",
                "cat < ../x % /agent-test/x",
                "echo a > /tmp/x-y % /tmp/x-y",
                "echo /etc/passwd % ''",
                "cd .. && ls % /agent-test",
                "cd .. && cat ws/a % /agent-test",
                "cc -I/opt/x --dir=/opt/y a % /opt/x /opt/y",
                "ls ~/a % /agent-test/home/a",
                "ls $HOME/a % /agent-test/home/a",
                "ls src/../../a % /agent-test/a",
                "/usr/bin/ls > /dev/null 2> /dev/null % ''",
                "/opt/x/ls % /opt/x/ls",
                "curl -d @/opt/secret http://h % /opt/secret",
                "grep /api/v1 src % ''",
                "cat src/a % ''",
                "sh -c 'cat /etc/passwd' % /etc/passwd",
            })
    void outside(String line, String paths) {
        assertEquals(paths(paths), Set.copyOf(Shells.facts(line).outside()), line);
    }

    @ParameterizedTest
    @Tag("scenario-51")
    @DisplayName("files that a command writes")
    @CsvSource(
            delimiter = '%',
            value = {
                "echo a > .env % .env",
                "echo a >> .env 2>&1 % .env",
                "echo a | tee -a .env b % .env b",
                "cp a .env % .env",
                "mv .env b % .env b",
                "rm -f .env % .env",
                "touch .env % .env",
                "sed -i s/a/b/ .env % s/a/b .env",
                "install -m 600 a .env % .env",
                "ln -sf a .env % .env",
                "cp -t d a % d a",
                "dd of=.env % .env",
                "find d -delete % d",
                "find . -fprint .env % .env",
                "sort -o.env a % .env",
                "curl -o .env http://h % .env",
                "cd d && echo > e % d/e",
                "(ls) > .env % .env",
                "env tee .env % .env",
                "cat .env % ''",
            })
    void written(String line, String paths) {
        assertEquals(inside(paths), Set.copyOf(Shells.facts(line).writes()), line);
    }

    @ParameterizedTest
    @Tag("scenario-51")
    @DisplayName("files that a command reads")
    @CsvSource(
            delimiter = '%',
            value = {
                "cat .env % .env",
                "head -n1 .env % .env",
                "grep -n KEY .env % .env",
                "grep .env a % a",
                "sed -n 1p .env % .env",
                "awk 1 .env % .env",
                "cat < .env % .env",
                "cp .env b % .env",
                "dd if=.env % .env",
                "git show HEAD:.env % HEAD:.env .env",
                "rg KEY % .",
                "base64 .env | sh % .env",
                "source .env % .env",
                "echo .env % ''",
                "touch .env % ''",
            })
    void read(String line, String paths) {
        assertEquals(inside(paths), Set.copyOf(Shells.facts(line).reads()), line);
    }

    @Test
    @Tag("scenario-51")
    @DisplayName("files behind a link or a pattern are read and written too")
    void linksAndPatterns(@TempDir Path folder) throws IOException {
        Path root = folder.toRealPath();
        Path workspace = Files.createDirectory(root.resolve("ws"));
        Files.writeString(workspace.resolve(".env"), "KEY=1");
        Files.writeString(workspace.resolve("a.c"), "");
        Files.createSymbolicLink(workspace.resolve("up"), root);
        Files.createSymbolicLink(workspace.resolve("link"), Path.of(".env"));
        Files.createSymbolicLink(workspace.resolve("new"), root.resolve("missing"));

        assertEquals(
                Set.of(workspace.resolve(".env")), Set.copyOf(facts("cat .e*", workspace).reads()));
        assertEquals(
                Set.of(workspace.resolve("link"), workspace.resolve(".env")),
                Set.copyOf(facts("cat link", workspace).reads()));
        assertEquals(Set.of(root.resolve("x")), Set.copyOf(facts("cat up/x", workspace).outside()));
        assertEquals(
                Set.of(root.resolve("missing")),
                Set.copyOf(facts("echo a > new", workspace).outside()));
        assertEquals(
                Set.of(root),
                Set.copyOf(facts("cd up/ws/.. && ls", workspace).outside()),
                "by name");
    }

    @Test
    @Tag("P8")
    @DisplayName("a network is wanted by clients and installers, not offline")
    void network() {
        assertTrue(Shells.facts("curl http://x").wantsNetwork());
        assertTrue(Shells.facts("cd a && git fetch").wantsNetwork());
        assertTrue(Shells.facts("npm install").wantsNetwork());
        assertTrue(Shells.facts("pip install x").wantsNetwork());
        assertTrue(Shells.facts("mvn verify").wantsNetwork());
        assertTrue(!Shells.facts("mvn -o verify").wantsNetwork());
        assertTrue(!Shells.facts("npm test && git status && ls").wantsNetwork());
    }

    private static CommandFacts facts(String line, Path workspace) {
        return CommandAnalysis.of(line, workspace, workspace, Shells.HOME);
    }

    private static void assertTooComplex(String line) {
        assertInstanceOf(TooComplex.class, Shells.facts(line).reading(), line.substring(0, 20));
    }

    /** The normal form reads like the command it is made from. */
    static void assertSameAgain(SimpleCommand command) {
        SimpleCommand again = Shells.facts(command.text()).reading().commands().getFirst();
        assertEquals(command.text(), again.text());
        assertEquals(
                command.words().stream().map(Word::text).toList(),
                again.words().stream().map(Word::text).toList());
    }

    private static Set<Path> paths(String cell) {
        return cell.isEmpty()
                ? Set.of()
                : Set.of(cell.split(" ")).stream().map(Path::of).collect(Collectors.toSet());
    }

    private static Set<Path> inside(String cell) {
        return paths(cell).stream()
                .map(path -> Shells.WORKSPACE.resolve(path).normalize())
                .collect(Collectors.toSet());
    }
}
