package dev.agentloop.tool;

import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/** Names of files and folders that decide what programs do, wherever in a workspace they are. */
public final class ControlNames {
    private static final Set<String> OWN = Set.of(".git", ".agent");
    private static final Set<String> ANYWHERE =
            Set.of(
                    // instructions and settings of agents
                    "agents.md",
                    "claude.md",
                    "gemini.md",
                    ".claude",
                    ".codex",
                    ".gemini",
                    ".cursor",
                    ".cursorrules",
                    ".windsurfrules",
                    "copilot-instructions.md",
                    ".mcp.json",
                    // editors
                    ".vscode",
                    ".idea",
                    ".devcontainer",
                    // git
                    ".gitmodules",
                    ".gitconfig",
                    ".husky",
                    ".pre-commit-config.yaml",
                    "lefthook.yml",
                    // continuous integration
                    ".circleci",
                    ".gitlab-ci.yml",
                    ".travis.yml",
                    ".drone.yml",
                    ".woodpecker.yml",
                    "azure-pipelines.yml",
                    "bitbucket-pipelines.yml",
                    "jenkinsfile",
                    // wrappers, shells, package managers
                    "mvnw",
                    "mvnw.cmd",
                    ".mvn",
                    "gradlew",
                    "gradlew.bat",
                    ".envrc",
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".bashrc",
                    ".bash_profile",
                    ".bash_login",
                    ".bash_logout",
                    ".profile",
                    ".zshrc",
                    ".zshenv",
                    ".zprofile");

    /** Of builds: what stands there runs when somebody builds or tests the project. */
    private static final Set<String> BUILD =
            Set.of(
                    "package.json",
                    "pom.xml",
                    "build.gradle",
                    "build.gradle.kts",
                    "settings.gradle",
                    "settings.gradle.kts",
                    "makefile",
                    "gnumakefile",
                    "justfile",
                    "cmakelists.txt",
                    "meson.build",
                    "setup.py",
                    "setup.cfg",
                    "pyproject.toml",
                    "tox.ini",
                    "noxfile.py",
                    "conftest.py",
                    "build.rs",
                    "cargo.toml",
                    "rakefile",
                    "gemfile",
                    "composer.json",
                    "dockerfile",
                    "build.xml",
                    "build.sbt",
                    "gruntfile.js",
                    "gulpfile.js");

    private ControlNames() {}

    /** Whether the next build or test runs what stands in the file. */
    public static boolean isOfBuild(Path relative) {
        Path name = relative.getFileName();
        return name != null && BUILD.contains(plain(name.toString()));
    }

    /** Whether the path is, or is in, a folder of git's or of this program. */
    public static boolean isOwn(Path relative) {
        for (Path name : relative) {
            if (OWN.contains(plain(name.toString()))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a change of the path may decide what runs later.
     *
     * @param relative to the workspace
     */
    public static boolean isControl(Path relative) {
        String before = "";
        for (Path component : relative) {
            String name = plain(component.toString());
            boolean pair =
                    before.equals(".github") && (name.equals("workflows") || name.equals("actions"))
                            || before.equals("gradle") && name.equals("wrapper");
            if (pair || OWN.contains(name) || ANYWHERE.contains(name)) {
                return true;
            }
            before = name;
        }
        return false;
    }

    /** As the most forgiving file system reads it: case, compatibility forms, trailing dots. */
    private static String plain(String name) {
        String folded = Normalizer.normalize(name, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        StringBuilder plain = new StringBuilder();
        folded.codePoints()
                .filter(c -> Character.getType(c) != Character.FORMAT) // HFS+ skips them
                .forEach(plain::appendCodePoint);
        int end = plain.length();
        while (end > 0 && (plain.charAt(end - 1) == '.' || plain.charAt(end - 1) == ' ')) {
            end--;
        }
        return plain.substring(0, end);
    }
}
