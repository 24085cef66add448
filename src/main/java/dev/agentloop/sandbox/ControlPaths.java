package dev.agentloop.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files of the workspace that make other programs run something, or tell agents what to do. No
 * command writes them: what it put there would run later, outside of the sandbox.
 *
 * @param present those that exist
 * @param missing of the others those that are kept from coming into being; the rest is put away
 *     when it has, since each mount over nothing costs a command more than a millisecond
 */
record ControlPaths(List<Path> present, List<Path> missing) {
    private static final List<String> NAMES =
            List.of(
                    ".agent",
                    ".vscode",
                    ".idea",
                    ".husky",
                    ".devcontainer",
                    ".mcp.json",
                    ".envrc",
                    ".github/workflows",
                    ".gitea/workflows",
                    ".forgejo/workflows",
                    ".circleci",
                    ".gitlab-ci.yml",
                    ".claude",
                    ".codex",
                    ".gemini",
                    ".cursor",
                    "AGENTS.md",
                    "CLAUDE.md",
                    "GEMINI.md",
                    ".cursorrules",
                    ".windsurfrules",
                    ".github/actions",
                    ".github/copilot-instructions.md",
                    ".travis.yml",
                    ".drone.yml",
                    ".woodpecker.yml",
                    "azure-pipelines.yml",
                    "bitbucket-pipelines.yml",
                    "Jenkinsfile",
                    ".pre-commit-config.yaml",
                    "lefthook.yml",
                    "mvnw",
                    "mvnw.cmd",
                    ".mvn",
                    "gradlew",
                    "gradlew.bat",
                    "gradle/wrapper",
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".bashrc",
                    ".bash_profile",
                    ".profile",
                    ".zshrc",
                    ".zshenv");

    /** Would be believed by this program itself. */
    private static final String OWN = ".agent";

    /** Git reads it in every repository, so that nothing may stand in for it. */
    private static final String SUBMODULES = ".gitmodules";

    /**
     * As the tree is now; a link counts as what it leads to.
     *
     * @param placeholder whether something is there only because a sandbox made it
     */
    static ControlPaths of(Path workspace, Predicate<Path> placeholder) {
        List<Path> present = new ArrayList<>();
        List<Path> missing = new ArrayList<>();
        for (String name : NAMES) {
            Path path = workspace.resolve(name);
            if (Files.exists(path) && !placeholder.test(path)) {
                present.add(path);
            } else if (name.equals(OWN)) {
                missing.add(path);
            }
        }
        Path submodules = workspace.resolve(SUBMODULES);
        if (Files.exists(submodules)) {
            present.add(submodules);
        }
        return new ControlPaths(present, missing);
    }

    /** Where nothing stood before and something may have appeared that nothing could prevent. */
    static List<Path> watched(Path workspace) {
        List<Path> watched = new ArrayList<>();
        for (String name : NAMES) {
            watched.add(workspace.resolve(name));
        }
        watched.add(workspace.resolve(".git/commondir")); // would lead to other settings
        watched.add(workspace.resolve(SUBMODULES));
        return watched;
    }

    /** Whether it may be made by a command, if only with a word about it. */
    static boolean mayAppear(Path control) {
        return control.endsWith(SUBMODULES);
    }
}
