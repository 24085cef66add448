package dev.agentloop.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.permission.Circumstances.Confinement;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a link with the name of a control file leads to is one, too, for tools and commands. */
final class ControlLinksPolicyTest {
    @TempDir private Path folder;

    private ToolFixture tools;

    @BeforeEach
    void links() throws IOException {
        tools = PolicyFixture.tools(folder);
        link(".envrc", "build/envrc"); // to nothing yet
        link("mvnw", "tool/one");
        link("tool/one", "two");
        link("tool/two", "../bin/mvn");
        link(".github", "gh");
        link("CLAUDE.md", "docs/guide.md");
        link(".agent", "conf/agent");
        link(".config", "conf2");
        link("pkg/.vscode", "../settings");
        link(".claude/skills/one", "../../shared/one");
        tools.write("gh/CODEOWNERS", "x");
        tools.write("docs/guide.md", "x");
        tools.write("docs/other.md", "x");
        tools.write("settings/tasks.json", "{}");
        tools.write("shared/one/SKILL.md", "x");
        tools.write("bin/mvn", "x");
    }

    private void link(String name, String to) throws IOException {
        Files.createDirectories(tools.path(name).getParent());
        Files.createSymbolicLink(tools.path(name), Path.of(to));
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @Tag("P5")
    @DisplayName("the target of a link is judged as the link's name")
    @CsvSource(
            delimiter = '|',
            value = {
                "write_file  | .envrc              | P5",
                "write_file  | build/envrc         | P5",
                "write_file  | Build/ENVRC         | P5",
                "write_file  | build/other         | P4",
                "write_file  | bin/mvn             | P5",
                "delete_file | bin/mvn             | P5",
                "delete_file | tool/two            | P5",
                "edit_file   | docs/guide.md       | P5",
                "edit_file   | docs/other.md       | P4",
                "write_file  | gh/workflows/ci.yml | CI",
                "write_file  | gh/CODEOWNERS       | P4",
                "write_file  | conf2/mise.toml     | P5",
                "write_file  | conf2/other.toml    | P4",
                "write_file  | settings/tasks.json | P5",
                "write_file  | shared/one/SKILL.md | P5",
                "write_file  | shared/two/SKILL.md | P4",
                "write_file  | conf/agent/x.yaml   | own",
                "run_command | echo x > build/envrc | P5",
                "run_command | mv evil build        | P5",
                "run_command | cp a gh/workflows/b  | CI",
                "run_command | tee conf/agent/x     | own",
            })
    void targets(String tool, String subject, String expected) throws IOException {
        assertEquals(expected, row(tool, subject));
    }

    @Test
    @Tag("P5")
    @DisplayName("a patch and a move over such a target are judged likewise")
    void patchesAndMoves() throws IOException {
        String patch = "*** Begin Patch\n*** Add File: build/envrc\n+x\n*** End Patch\n";
        assertEquals("P5", row("apply_patch", patch));
        tools.write("evil", "x");
        assertEquals("P5", row("move_file", "build/envrc"));
    }

    private String row(String tool, String subject) throws IOException {
        StringBuilder verdicts = new StringBuilder();
        for (Supervision use : Supervision.values()) {
            PermissionPolicy policy =
                    new PermissionPolicy(
                            List.of(),
                            ConfirmPreset.CONFIRM_SENSITIVE,
                            PolicyFixture.where(tools, Confinement.CONFINED, use),
                            Guardrails.NONE);
            verdicts.append(
                    switch (policy.decide(PolicyFixture.ready(tools, tool, subject)).verdict()) {
                        case ALLOW -> 'A';
                        case ASK -> 'Q';
                        case DENY -> 'D';
                    });
        }
        return switch (verdicts.toString()) {
            case "AQAA" -> "P4";
            case "QDDA" -> "P5";
            case "QDDD" -> "CI";
            case "DDDD" -> "own";
            default -> verdicts.toString();
        };
    }
}
