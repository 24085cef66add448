package dev.agentloop.sandbox.watch;

import dev.agentloop.sandbox.git.settings.GitSettings;
import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the workspace's own repository is kept. Commands may commit to it, but not change what git
 * runs: hooks, configuration, attributes.
 *
 * @param store real path of the folder with objects and references
 * @param own what git keeps of this worktree alone; the store itself if {@code .git} is the folder
 * @param pointer the file {@code .git} of a worktree; null if {@code .git} is the folder itself
 * @param shared whether commands may write all of the store; else only objects, and what is the
 *     worktree's own
 */
public record GitFolder(Path store, Path own, @Nullable Path pointer, boolean shared) {
    private static final int MAX_POINTER = 4096; // bytes, as the longest path
    private static final int MOST_MODULES = 64; // each costs two mounts

    /** Empty without a repository, and for one that we cannot be sure of: it stays read-only. */
    public static Optional<GitFolder> of(Path workspace) {
        Path git = workspace.resolve(".git");
        if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(new GitFolder(git, git, null, true));
        }
        try {
            return Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)
                    ? worktree(workspace, git)
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * A pointer is as good as its word only if the repository points back: else a made-up one would
     * open any folder of the machine to commands.
     */
    private static Optional<GitFolder> worktree(Path workspace, Path pointer) throws IOException {
        String said = text(pointer, MAX_POINTER).strip();
        if (!said.startsWith("gitdir: ")) {
            return Optional.empty();
        }
        Path own = pointer.resolveSibling(said.substring("gitdir: ".length())).toRealPath();
        Path back = Path.of(text(own.resolve("gitdir"), MAX_POINTER).strip());
        Path store = own.resolve(text(own.resolve("commondir"), MAX_POINTER).strip()).toRealPath();
        boolean ours =
                Files.isSameFile(own.resolve(back), pointer)
                        && store.resolve("worktrees").equals(own.getParent());
        boolean shared = !Boundaries.isTreeAlone(workspace);
        return ours ? Optional.of(new GitFolder(store, own, pointer, shared)) : Optional.empty();
    }

    /** Folders whose files git runs; they may be missing. */
    public List<Path> hooks() {
        List<Path> hooks = new ArrayList<>();
        hooks.add(store.resolve("hooks"));
        modules().forEach(module -> hooks.add(module.resolve("hooks")));
        return hooks;
    }

    /**
     * Files that name programs for git to run; where one is missing, an empty one is no harm. Those
     * of submodules are only watched: git writes them with each {@code submodule update}.
     */
    public List<Path> settings() {
        List<Path> settings = new ArrayList<>();
        settings.add(store.resolve("config"));
        settings.add(store.resolve("config.worktree"));
        settings.add(store.resolve("info").resolve("attributes"));
        if (pointer != null) {
            settings.add(own.resolve("config"));
            settings.add(own.resolve("config.worktree"));
        }
        return settings;
    }

    /** Files of a worktree that say where the rest of its repository is; none of the main one. */
    public List<Path> pointers() {
        return pointer == null
                ? List.of()
                : List.of(pointer, own.resolve("commondir"), own.resolve("gitdir"));
    }

    /** Whether commands could make a file or folder of this name, were it not covered. */
    public boolean isWritable(Path path) {
        return writable().stream().anyMatch(path::startsWith);
    }

    /** Whether a path lies in the repository. */
    public boolean holds(Path path) {
        return path.startsWith(store);
    }

    /** What commands may write of a worktree's repository; all else of it is read-only. */
    public List<Path> writable() {
        return shared
                ? List.of(store)
                : List.of(store.resolve("objects"), own); // branches, tags and stash are in it
    }

    /**
     * What else of the roots the repository's settings lead to: files that they include, and the
     * folder from which it takes its hooks.
     *
     * @param roots of which the main one is the work tree
     * @param home where paths that begin with a tilde begin
     */
    public List<Path> led(Roots roots, Path home) {
        List<Path> configs = List.of(store.resolve("config"), own.resolve("config.worktree"));
        List<Path> led = new ArrayList<>(GitSettings.withIncluded(configs, home));
        led.removeAll(configs);
        GitSettings.hooksFolder(configs, home, roots.main()).ifPresent(led::add);
        led.removeIf(path -> {
            Path real = HiddenPaths.real(path);
            return real == null || !roots.holdWithin(real);
        });
        return led;
    }

    /** Where git keeps settings of submodules and worktrees that no mount covers. */
    List<Path> parts() {
        List<Path> parts = new ArrayList<>(modules());
        parts.addAll(foldersIn(store.resolve("worktrees")));
        return parts;
    }

    /** Of submodules, also of those within submodules. */
    private List<Path> modules() {
        List<Path> modules = new ArrayList<>();
        List<Path> folders = new ArrayList<>(List.of(store.resolve("modules")));
        for (int i = 0; i < folders.size() && i < MOST_MODULES; i++) {
            for (Path folder : foldersIn(folders.get(i))) {
                if (Files.isRegularFile(folder.resolve("HEAD"))) {
                    modules.add(folder);
                    folders.add(folder.resolve("modules"));
                } else {
                    folders.add(folder); // names of submodules may have slashes
                }
            }
        }
        return modules;
    }

    private static List<Path> foldersIn(Path folder) {
        List<Path> folders = new ArrayList<>();
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return folders;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    folders.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return folders;
        }
        return folders;
    }

    private static String text(Path file, int most) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) { // a pipe would never end
            throw new IOException(file + " is no ordinary file");
        }
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return new String(in.readNBytes(most), StandardCharsets.UTF_8);
        }
    }
}
