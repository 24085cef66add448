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
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of the default policy, each row under each use; columns as {@link Supervision} has
 * them.
 */
final class StandardPolicyTest {
    @TempDir private Path folder;

    @ParameterizedTest(name = "{0}: {1} {2} -> {3}")
    @Tag("P1")
    @Tag("P2")
    @Tag("P3")
    @Tag("P4")
    @Tag("P5")
    @Tag("P6")
    @DisplayName("what file tools may do")
    @CsvSource(
            delimiter = '|',
            value = {
                "P1 | read_file  | src/a.c              | A A A A",
                "P2 | read_file  | .env                 | Q D D D",
                "P2 | read_file  | conf/prod.pem        | Q D D D",
                "P2 | read_file  | .ENV.local           | Q D D D",
                "P2 | edit_file  | .env                 | Q D D D",
                "P1 | read_file  | .env.example         | A A A A",
                "P1 | read_file  | CredentialsTest.java | A A A A",
                "P3 | read_file  | ../outside           | Q D D D",
                "P3 | read_file  | /etc/passwd          | Q D D D",
                "P3 | grep       | /etc                 | Q D D D",
                "P4 | write_file | src/new.c            | A Q A A",
                "P4 | delete_file| src/a.c              | A Q A A",
                "P5 | write_file | AGENTS.md            | Q D D A",
                "P5 | write_file | AGENTS.override.md   | Q D D A",
                "P5 | write_file | claude.local.md      | Q D D A",
                "P5 | write_file | .envrc.local         | Q D D A",
                "P5 | write_file | a.code-workspace     | Q D D A",
                "P5 | write_file | .cargo/config.toml   | Q D D A",
                "P5 | write_file | pkg/.claude/skills/x | Q D D A",
                "P4 | write_file | src/mise.c           | A Q A A",
                "P4 | write_file | .github/CODEOWNERS   | A Q A A",
                "P4 | write_file | package.json         | A Q A A",
                "P5 | write_file | .github/workflows/x  | Q D D D",
                "P5 | write_file | .GitHub/Workflows/x  | Q D D D",
                "P5 | write_file | Jenkinsfile          | Q D D D",
                "P5 | delete_file| .gitlab-ci.yml       | Q D D D",
                "P5 | write_file | sub/.VSCODE/t.json   | Q D D A",
                "P5 | edit_file  | mvnw                 | Q D D A",
                "P5 | write_file | .agent/config.yaml   | D D D D",
                "P5 | write_file | .git/hooks/pre-commit| D D D D",
                "P5 | write_file | sub/.GIT/config      | D D D D",
                "P6 | write_file | ../outside           | D D D D",
                "P6 | delete_file| /etc/passwd          | D D D D",
            })
    void fileTools(String row, String tool, String path, String expected) throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        tools.write("src/a.c", "x");
        assertEquals(expected, verdicts(tools, Confinement.CONFINED, tool, path), row);
    }

    @ParameterizedTest(name = "{0}: {1} {2} -> {3}")
    @Tag("P7")
    @Tag("P8")
    @Tag("P9")
    @Tag("P10")
    @Tag("P11")
    @DisplayName("what commands may do, in the sandbox, without one, and without by word")
    @CsvSource(
            delimiter = '|',
            value = {
                "P7  | CONFINED    | make test                     | A Q A A",
                "P7  | CONFINED    | ls; make                      | A Q A A",
                "P7  | CONFINED    | echo $(date) > out.txt        | A Q A A",
                "P9  | UNCONFINED  | make test                     | Q Q D D",
                "P9  | UNCONFINED  | ls -l src                     | A Q A A",
                "P9  | UNCONFINED  | ls > out                      | Q Q D D",
                "P9  | UNCONFINED  | cat /etc/hostname             | Q Q D D",
                "P9  | OFF_BY_WORD | make test                     | Q Q D A",
                "P9  | OFF_BY_WORD | ls                            | A Q A A",
                "P10 | CONFINED    | rm -rf ~                      | Q D D D",
                "P10 | CONFINED    | git reset --hard && echo done | Q D D D",
                "P10 | OFF_BY_WORD | sudo rm -rf /                 | Q D D D",
                "P11 | CONFINED    | git push origin main          | Q D D D",
                "P11 | CONFINED    | npm publish                   | Q D D D",
                "P5  | CONFINED    | echo x > .git/config          | D D D D",
                "P5  | CONFINED    | tee AGENTS.md < a             | Q D D A",
                "P5  | CONFINED    | cp a .github/workflows/a.yml  | Q D D D",
                "P2  | CONFINED    | cat .env                      | Q D D D",
            })
    void commands(String row, Confinement confinement, String command, String expected)
            throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        assertEquals(expected, verdicts(tools, confinement, "run_command", command), row);
    }

    @Test
    @Tag("D27")
    @DisplayName("what is too complex is denied in every use, under yolo too")
    void tooComplex() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        String command = "echo a;".repeat(20_000);
        assertEquals("D D D D", verdicts(tools, Confinement.CONFINED, "run_command", command));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @Tag("P21")
    @DisplayName("yolo skips P2-P4 and P7-P9, never P5, P6, P10, P11 and P12")
    @CsvSource(
            delimiter = '|',
            value = {
                "read_file   | .env                 | A D D D",
                "write_file  | a                    | A A A A",
                "write_file  | AGENTS.md            | Q D D A",
                "write_file  | .agent/x             | D D D D",
                "write_file  | ../x                 | D D D D",
                "run_command | make                 | A A A A",
                "run_command | rm -rf /             | Q D D D",
                "run_command | git push             | Q D D D",
                "web_fetch   | https://example.com/ | Q Q D D",
            })
    void yolo(String tool, String subject, String expected) throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        List<String> verdicts = new ArrayList<>();
        for (Supervision use : Supervision.values()) {
            Circumstances where = PolicyFixture.where(tools, Confinement.OFF_BY_WORD, use);
            PermissionPolicy policy =
                    new PermissionPolicy(List.of(), ConfirmPreset.YOLO, where, Guardrails.NONE);
            verdicts.add(
                    letter(policy.decide(PolicyFixture.ready(tools, tool, subject)).verdict()));
        }
        assertEquals(expected, String.join(" ", verdicts));
    }

    @Test
    @Tag("P10")
    @Tag("P11")
    @DisplayName("of several reasons a denial names all, and what lifts all of them")
    void severalReasons() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        Circumstances where =
                PolicyFixture.where(tools, Confinement.CONFINED, Supervision.TRUSTED_UNATTENDED);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(), ConfirmPreset.CONFIRM_SENSITIVE, where, Guardrails.NONE);
        String push = "git push --force origin main";
        String reason = policy.decide(PolicyFixture.ready(tools, "run_command", push)).reason();

        assertTrue(reason.contains("(P10)") && reason.contains("(P11)"), reason);
        assertTrue(reason.contains("--allow-destructive"), reason);
        assertTrue(reason.contains("--allow 'run_command(" + push + ")' and --allow-net"), reason);
    }

    @ParameterizedTest(name = "{0} and {1} {2} -> {3}")
    @DisplayName("rules lift what they name; some rows want more than the name of a tool")
    @CsvSource(
            delimiter = '|',
            value = {
                "run_command            | run_command | make              | ALLOW",
                "run_command(make*)     | run_command | make a; make b    | ALLOW",
                "run_command(make*)     | run_command | make a; rm b      | DENY",
                "run_command            | run_command | git push          | DENY",
                "run_command(git push*) | run_command | git push origin x | ALLOW",
                "run_command(rm *)      | run_command | rm -rf /          | DENY",
                "read_file              | read_file   | .env              | DENY",
                "read_file(.env)        | read_file   | .env              | ALLOW",
                "read_file(/etc/**)     | read_file   | /etc/hostname     | ALLOW",
                "write_file             | write_file  | AGENTS.md         | DENY",
                "write_file(AGENTS.md)  | write_file  | AGENTS.md         | ALLOW",
                "write_file(.agent/**)  | write_file  | .agent/x          | DENY",
                "write_file             | write_file  | .circleci/x       | DENY",
                "write_file(.circleci/x)| write_file  | .circleci/x       | ALLOW",
                "web_fetch              | web_fetch   | https://a.example | ALLOW",
            })
    void lifting(String rule, String tool, String subject, Verdict expected) throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(Rule.parse(rule, Verdict.ALLOW).orElseThrow()),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        PolicyFixture.where(tools, Confinement.UNCONFINED, Supervision.UNATTENDED),
                        Guardrails.NONE);

        assertEquals(expected, policy.decide(PolicyFixture.ready(tools, tool, subject)).verdict());
    }

    @Test
    @Tag("scenario-43")
    @Tag("D76")
    @DisplayName("always means exactly what was shown, part by part")
    void always() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        PolicyFixture.where(
                                tools, Confinement.UNCONFINED, Supervision.TRUSTED_TERMINAL),
                        Guardrails.NONE);
        Decision first =
                policy.decide(PolicyFixture.ready(tools, "run_command", "npm run a && npm test"));
        assertEquals(List.of("run_command(npm run a)", "run_command(npm test)"), first.always());

        policy.remember(first.always());

        assertEquals(Verdict.ALLOW, command(tools, policy, "npm test"));
        assertEquals(Verdict.ALLOW, command(tools, policy, "npm test; npm run a"));
        assertEquals(Verdict.ASK, command(tools, policy, "npm test && rm x"));
        assertEquals(Verdict.ASK, command(tools, policy, "npm publish"));
        assertEquals(Verdict.ASK, command(tools, policy, "npm test --prefix x"));
        assertEquals(Verdict.ASK, command(tools, policy, "npm test > x"));
        assertEquals(
                List.of(),
                policy.decide(PolicyFixture.ready(tools, "run_command", "npm run $X")).always(),
                "what is not known cannot be allowed for ever");
        assertEquals(
                List.of(),
                policy.decide(PolicyFixture.ready(tools, "run_command", "rm -rf ~")).always());
    }

    @Test
    @Tag("scenario-51")
    @DisplayName("protected and sensitive files, through tools and shell words")
    void guardrails() throws IOException {
        Guardrails guardrails =
                new Guardrails(
                        List.of("locked.txt", "gen/**"),
                        List.of("*.secret"),
                        List.of(Pattern.compile("\\bcurl\\b")));
        ToolFixture tools = PolicyFixture.tools(folder);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(Rule.parse("run_command", Verdict.ALLOW).orElseThrow()),
                        ConfirmPreset.YOLO,
                        PolicyFixture.where(
                                tools, Confinement.OFF_BY_WORD, Supervision.TRUSTED_TERMINAL),
                        guardrails);
        assertEquals("A", call(tools, policy, "read_file", "locked.txt"));
        for (String tool : List.of("write_file", "edit_file", "delete_file")) {
            assertEquals("D", call(tools, policy, tool, "a/LOCKED.txt"), tool);
            assertEquals("D", call(tools, policy, tool, "gen/a/b"), tool);
        }
        assertEquals("D", call(tools, policy, "read_file", "deep/x.secret"));
        for (String command :
                List.of(
                        "echo x > locked.txt",
                        "echo x | tee locked.txt",
                        "cp a locked.txt",
                        "sed -i s/a/b/ gen/x",
                        "cat x.secret",
                        "head -1 < ./x.secret",
                        "python3 tool.py --in=x.secret",
                        "true && curl http://x",
                        "sudo 'cu'rl x")) {
            assertEquals("D", call(tools, policy, "run_command", command), command);
        }
        assertEquals("A", call(tools, policy, "run_command", "cat locked.txt"));
    }

    @Test
    @Tag("D11")
    @DisplayName("a file with another name elsewhere is asked about before it is written")
    void hardLinks() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        tools.write("a", "x");
        Files.createLink(tools.path("b"), tools.path("a"));

        assertEquals("Q D D D", verdicts(tools, Confinement.CONFINED, "write_file", "b"));
    }

    @ParameterizedTest
    @Tag("D01")
    @Tag("D02")
    @Tag("D03")
    @Tag("D04")
    @Tag("D05")
    @Tag("D06")
    @Tag("D07")
    @DisplayName("where a path leads decides, not how it is written")
    @CsvSource({
        "../x, D",
        "a/../../x, D",
        "./a/./../..//x, D",
        "link/new, D",
        "chain, D",
        "a/../in, A",
        "%2e%2e/x, A",
        "..\\x, A",
        "~/x, A",
        "$HOME/x, A",
    })
    void paths(String path, String verdict) throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        Files.createDirectories(tools.path("a"));
        Files.createDirectories(tools.path("../ws2"));
        Files.createSymbolicLink(tools.path("link"), Path.of("../ws2"));
        Files.createSymbolicLink(tools.path("c1"), Path.of("link"));
        Files.createSymbolicLink(tools.path("c2"), Path.of("c1"));
        Files.createSymbolicLink(tools.path("chain"), Path.of("c2/file"));
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        PolicyFixture.where(tools, Confinement.CONFINED, Supervision.UNATTENDED),
                        Guardrails.NONE);
        assertEquals(verdict, call(tools, policy, "write_file", path));
    }

    @Test
    @Tag("scenario-41")
    @DisplayName("the folder outside is named; 44: a denial says what helps")
    void reasons() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        Circumstances where =
                PolicyFixture.where(tools, Confinement.UNCONFINED, Supervision.UNATTENDED);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(), ConfirmPreset.CONFIRM_SENSITIVE, where, Guardrails.NONE);
        Decision denied = policy.decide(PolicyFixture.ready(tools, "run_command", "touch /opt/x"));
        assertEquals(Verdict.DENY, denied.verdict());
        assertTrue(denied.reason().contains("/opt/x"), denied.reason());
        assertTrue(denied.reason().contains("no terminal to ask at"), denied.reason());
        assertTrue(denied.reason().contains("bubblewrap"), denied.reason());
    }

    private static Verdict command(ToolFixture tools, PermissionPolicy policy, String command) {
        return policy.decide(PolicyFixture.ready(tools, "run_command", command)).verdict();
    }

    private static String call(
            ToolFixture tools, PermissionPolicy policy, String tool, String subject) {
        return letter(policy.decide(PolicyFixture.ready(tools, tool, subject)).verdict());
    }

    private static String verdicts(
            ToolFixture tools, Confinement confinement, String tool, String subject) {
        List<String> verdicts = new ArrayList<>();
        for (Supervision use : Supervision.values()) {
            PermissionPolicy policy =
                    new PermissionPolicy(
                            List.of(),
                            ConfirmPreset.CONFIRM_SENSITIVE,
                            PolicyFixture.where(tools, confinement, use),
                            Guardrails.NONE);
            verdicts.add(
                    letter(policy.decide(PolicyFixture.ready(tools, tool, subject)).verdict()));
        }
        return String.join(" ", verdicts);
    }

    private static String letter(Verdict verdict) {
        return switch (verdict) {
            case ALLOW -> "A";
            case ASK -> "Q";
            case DENY -> "D";
        };
    }
}
