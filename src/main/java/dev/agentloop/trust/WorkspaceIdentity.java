package dev.agentloop.trust;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * Who a workspace is. A name alone is none: another folder may be given the same name, and a git
 * worktree may claim to belong to a repository that knows nothing of it.
 *
 * @param root real path of the folder that is trusted: the worktree that the workspace is part of,
 *     else the workspace
 * @param folderKey what tells the folder itself from another one at the same place
 * @param gitDir real path of the repository's common folder; empty without git
 * @param config fingerprint of the project's own configuration; empty when there is none
 * @param configFiles its files, relative to the workspace
 * @param doubt why it can never be trusted by a stored decision; empty if nothing speaks against it
 */
public record WorkspaceIdentity(
        Path root,
        String folderKey,
        String gitDir,
        String config,
        List<Path> configFiles,
        String doubt) {
    private static final int MAX_POINTER = 4_096; // bytes of a .git file

    /**
     * Looks at a workspace; runs nothing.
     *
     * @param workspace an existing folder
     * @param home the user's home folder, which no stored decision covers
     */
    public static WorkspaceIdentity of(Path workspace, Path home) throws IOException {
        Path real = workspace.toRealPath();
        Path personal = Files.exists(home) ? home.toRealPath() : home;
        Path root = worktree(real, personal);
        ProjectConfig config = ProjectConfig.of(real);
        String doubt = config.doubt();
        Optional<Path> git = Optional.empty();
        if (personal.startsWith(real)) {
            doubt = real + " is your home folder or holds it";
        } else {
            Path pointer = root.resolve(".git");
            if (Files.exists(pointer, LinkOption.NOFOLLOW_LINKS)) {
                git = commonDir(pointer);
                doubt = git.isEmpty() ? pointer + " does not belong to this folder" : doubt;
            }
        }
        return new WorkspaceIdentity(
                root,
                key(root),
                git.isPresent() ? git.get() + " " + key(git.get()) : "",
                config.fingerprint(),
                config.files(),
                doubt);
    }

    /** The same workspace with a reason not to trust it by a stored decision. */
    public WorkspaceIdentity doubted(String reason) {
        return new WorkspaceIdentity(root, folderKey, gitDir, config, configFiles, reason);
    }

    /** The nearest folder upwards with a .git, but never the home folder or what holds it. */
    private static Path worktree(Path workspace, Path home) {
        for (Path folder = workspace; folder != null; folder = folder.getParent()) {
            if (home.startsWith(folder)) {
                break;
            }
            if (Files.exists(folder.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                return folder;
            }
        }
        return workspace;
    }

    /** Inode and time of birth: a folder that was deleted and made again is another one. */
    private static String key(Path folder) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
        return attributes.fileKey() + "@" + attributes.creationTime().toMillis();
    }

    /** The repository of a worktree, if each of the two names the other; empty if not. */
    private static Optional<Path> commonDir(Path pointer) throws IOException {
        if (Files.isSymbolicLink(pointer)) {
            return Optional.empty();
        }
        if (Files.isDirectory(pointer)) {
            boolean plain = !Files.exists(pointer.resolve("commondir"), LinkOption.NOFOLLOW_LINKS);
            return plain ? Optional.of(pointer.toRealPath()) : Optional.empty();
        }
        String text = read(pointer);
        if (!text.startsWith("gitdir: ")) {
            return Optional.empty();
        }
        Path gitDir = pointer.resolveSibling(text.substring("gitdir: ".length()));
        if (!Files.isDirectory(gitDir) || Files.isSymbolicLink(gitDir.resolve("commondir"))) {
            return Optional.empty();
        }
        return isKnownTo(gitDir, pointer) ? Optional.of(common(gitDir)) : Optional.empty();
    }

    /** A worktree is named in its repository; a submodule's work tree in the configuration. */
    private static boolean isKnownTo(Path gitDir, Path pointer) throws IOException {
        Path back = gitDir.resolve("gitdir");
        if (Files.isRegularFile(back)) {
            Path named = gitDir.resolve(read(back));
            return Files.exists(named) && named.toRealPath().equals(pointer.toRealPath());
        }
        Path superproject = gitDir.toRealPath();
        Path folder = pointer.toRealPath().getParent();
        for (Path up = folder; up != null; up = up.getParent()) {
            Path git = up.resolve(".git");
            if (!up.equals(folder) && Files.isDirectory(git)) {
                return superproject.startsWith(git.toRealPath().resolve("modules"));
            }
        }
        return false;
    }

    private static Path common(Path gitDir) throws IOException {
        Path named = gitDir.resolve("commondir");
        return Files.isRegularFile(named)
                ? gitDir.resolve(read(named)).toRealPath()
                : gitDir.toRealPath();
    }

    /** Empty for what git would not write there: opening a pipe may never return. */
    private static String read(Path file) throws IOException {
        boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (!plain || Files.size(file) > MAX_POINTER) {
            return "";
        }
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }
}
