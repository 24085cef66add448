package dev.agentloop.controlfile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.docs.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlNamesTest {
    private static final int WIDTH = 100;

    @ParameterizedTest(name = "{0} -> {1}")
    @DisplayName("P5: a control file is known in every folder and in every spelling")
    @CsvSource(
            delimiter = '|',
            value = {
                "CLAUDE.md                       | AGENTS",
                "a/b/claude.MD                   | AGENTS",
                ".claude/skills/x/SKILL.md       | AGENTS",
                ".aider.conf.yml                 | AGENTS",
                ".github/copilot-instructions.md | AGENTS",
                "project.code-workspace          | EDITORS",
                "src/.nvim.lua                   | EDITORS",
                ".dir-locals.el                  | EDITORS",
                ".lefthook.yml                   | HOOKS",
                ".buildkite/pipeline.yml         | PIPELINES",
                "appveyor.yml                    | PIPELINES",
                ".GITHUB/Workflows/x             | PIPELINES",
                ".config/mise.toml               | ENVIRONMENTS",
                ".envrc.                         | ENVIRONMENTS",
                ".env\u200Crc                    | ENVIRONMENTS",
                ".cargo/config.toml              | PACKAGES",
                "pip.conf                        | PACKAGES",
                ".zlogin                         | SHELLS",
                "gradle/wrapper/x.jar            | WRAPPERS",
                ".vscode/.git/x                  | OWN",
                "gradle/libs.versions.toml       | none",
                ".github/CODEOWNERS              | none",
                "workflows/x                     | none",
                "config/mise.toml.md             | none",
                "package.json                    | none",
                "src/Jenkinsfileparser.java      | none",
            })
    void names(String path, String group) {
        String found = ControlNames.groupOf(Path.of(path)).map(ControlGroup::name).orElse("none");
        assertEquals(group, found);
    }

    @Test
    @DisplayName("docs/permissions.md names all of them")
    void documented() throws IOException {
        StringBuilder part = new StringBuilder();
        for (ControlGroup group : ControlGroup.values()) {
            List<String> words = new ArrayList<>(List.of(group.meaning().split(" ")));
            words.set(words.size() - 1, words.getLast() + ":");
            group.names().forEach(name -> words.add("`" + name + "`,"));
            words.set(words.size() - 1, words.getLast().replace(",", ""));
            String line = "-";
            for (String word : words) {
                if (line.length() + 1 + word.length() > WIDTH) {
                    part.append(line).append('\n');
                    line = " ";
                }
                line += " " + word;
            }
            part.append(line).append('\n');
        }
        Page.of("docs/permissions.md").checkPart("control files", part.toString());
    }
}
