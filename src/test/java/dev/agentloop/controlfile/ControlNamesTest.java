package dev.agentloop.controlfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.docs.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlNamesTest {
    private static final int WIDTH = 100;

    @ParameterizedTest(name = "{0} -> {1}")
    @Tag("P5")
    @DisplayName("a control file is known in every folder and in every spelling")
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
                ".pi/settings.json               | AGENTS",
                "sub/CODEBUDDY.md                | AGENTS",
                ".github/copilot-instructions.md | AGENTS",
                ".cursorignore                   | AGENTS",
                ".bsp/sbt.json                   | EDITORS",
                "web/.rubocop.yml                | EDITORS",
                ".config/nvim/init.lua           | EDITORS",
                ".ipython/profile_default/x.py   | EDITORS",
                ".julia/config/startup.jl        | EDITORS",
                ".hg/hgrc                        | HOOKS",
                "lib/.jj/repo/config.toml        | HOOKS",
                ".JJ/Repo/config.toml            | HOOKS",
                "netlify.toml                    | PIPELINES",
                ".github/dependabot.yml          | PIPELINES",
                "ci_scripts/ci_post_clone.sh     | PIPELINES",
                "build.gocd.yaml                 | PIPELINES",
                ".prototools                     | ENVIRONMENTS",
                ".sbtrc                          | WRAPPERS",
                ".bundle/config                  | PACKAGES",
                ".gradle/init.d/x.gradle         | PACKAGES",
                ".local/bin/ls                   | SHELLS",
                ".local/share/applications/x     | SHELLS",
                ".bashrc.d/x                     | SHELLS",
                ".hg/store/00changelog.i         | none",
                ".jj/repo/store/x                | none",
                "repo/config.toml                | none",
                "share/applications/x            | none",
                ".local/share/x                  | none",
                ".gradle/8.9/x                   | none",
                "gptme.toml                      | AGENTS",
                ".superset/config.json           | AGENTS",
                ".lite_project.lua               | EDITORS",
                ".kateproject                    | EDITORS",
                "lefthook.jsonc                  | HOOKS",
                ".trunk/trunk.yaml               | HOOKS",
                ".lazygit.yml                    | HOOKS",
                "ci/nightly.Jenkinsfile          | PIPELINES",
                "azure-pipelines-nightly.yml     | PIPELINES",
                "mise.production.toml            | ENVIRONMENTS",
                "mise/config.local.toml          | ENVIRONMENTS",
                ".mavenrc                        | WRAPPERS",
                ".terraform.d/plugins/x          | PACKAGES",
                ".duckdbrc                       | SHELLS",
                "setup.cfg                       | none",
                ".eslintrc.json                  | none",
                ".nvmrc                          | none",
                "models/x.pth                    | none",
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
    @DisplayName("no name stands twice, and each is written as names are compared")
    void namesAreWrittenOnce() {
        Set<String> seen = new HashSet<>();
        for (ControlGroup group : ControlGroup.values()) {
            assertFalse(group.names().isEmpty(), group.name());
            for (String name : group.names()) {
                assertTrue(seen.add(name), "twice: " + name);
                assertEquals(ControlNames.plain(name), name);
                assertTrue(name.substring(1, name.length() - 1).indexOf('*') < 0, name);
            }
        }
    }

    @Test
    @DisplayName("docs/permissions.md names all of them")
    void documented() throws IOException {
        StringBuilder part = new StringBuilder();
        for (ControlGroup group : ControlGroup.values()) {
            List<String> words = new ArrayList<>(List.of(group.meaning().split(" ")));
            words.set(words.size() - 1, words.getLast() + ":");
            for (String name : group.names()) {
                String shown = name.replaceFirst("(.*)/(.*)", "$2` in `$1");
                words.addAll(List.of(("`" + shown + "`,").split(" ")));
            }
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
