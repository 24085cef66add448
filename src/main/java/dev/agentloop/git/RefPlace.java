package dev.agentloop.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Where git keeps a repository, as the kernel resolves the names, like git.
 *
 * @param root of the work tree; where there is no repository, a folder in which one may be made
 * @param common folder of what all its work trees share
 * @param own folder of what is of this work tree alone
 * @param key of the common folder on its disk, also under another name; empty if it is not there
 */
record RefPlace(Path root, Path common, Path own, String key) {
    private static final String POINTER = "gitdir: ";
    private static final int MOST_OF_POINTER = 4_096; // bytes, as the longest path

    /** Of the nearest repository upwards; where there is none, of one that may yet be made. */
    static RefPlace of(Path workspace) throws IOException {
        Path real = workspace.toRealPath();
        for (Path at = real; at != null; at = at.getParent()) {
            Path git = at.resolve(".git");
            if (Files.isDirectory(git)) {
                return under(at, git.toRealPath());
            }
            if (Files.isRegularFile(git)) {
                String said = text(git);
                if (said.startsWith(POINTER)) {
                    return under(at, at.resolve(said.substring(POINTER.length())).toRealPath());
                }
            }
        }
        return none(real);
    }

    static RefPlace of(GitPlace place) {
        return new RefPlace(place.root(), place.common(), place.own(), key(place.common()));
    }

    /** Of a folder in which no repository can be found. */
    static RefPlace none(Path folder) {
        return new RefPlace(folder, folder.resolve(".git"), folder.resolve(".git"), "");
    }

    private static RefPlace under(Path root, Path own) throws IOException {
        Path shared = own.resolve("commondir");
        Path common = Files.isRegularFile(shared) ? own.resolve(text(shared)).toRealPath() : own;
        return new RefPlace(root, common, own, key(common));
    }

    private static String key(Path folder) {
        try {
            Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
            return key == null ? "" : key.toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_OF_POINTER);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        }
    }

    boolean isThere() {
        return !key.isEmpty();
    }

    /** Whether both keep their branches in the same folder, whatever it was called. */
    boolean sharesStore(RefPlace other) {
        return common.equals(other.common) || isThere() && key.equals(other.key);
    }

    /** Whether some of it lies in a folder. */
    boolean reaches(Path folder) {
        return root.startsWith(folder) || common.startsWith(folder) || own.startsWith(folder);
    }
}
