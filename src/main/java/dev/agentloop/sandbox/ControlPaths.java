package dev.agentloop.sandbox;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of the workspace that make other programs run something, or tell agents what to do. No
 * command writes them: what it put there would run later, outside of the sandbox.
 *
 * @param present those that exist
 * @param missing of the others the first component that does not exist
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
                    "GEMINI.md");

    /** Git reads it in every repository, so that nothing may stand in for it. */
    private static final String SUBMODULES = ".gitmodules";

    /** As the tree is now; a link counts as what it leads to. */
    static ControlPaths of(Path workspace) {
        List<Path> present = new ArrayList<>();
        List<Path> missing = new ArrayList<>();
        for (String name : NAMES) {
            Path path = workspace.resolve(name);
            if (Files.exists(path)) {
                present.add(path);
            } else {
                Path first = firstMissing(workspace, path);
                if (!missing.contains(first)) {
                    missing.add(first);
                }
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
        watched.add(workspace.resolve(SUBMODULES));
        return watched;
    }

    private static Path firstMissing(Path workspace, Path path) {
        Path missing = path;
        Path parent = path.getParent();
        while (parent != null && !parent.equals(workspace) && !isThere(parent)) {
            missing = parent;
            parent = parent.getParent();
        }
        return missing;
    }

    private static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
