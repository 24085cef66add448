package dev.agentloop.shell.parse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Paths as the kernel finds them: a link is followed before the {@code ..} after it. */
public final class RealPath {
    private RealPath() {}

    /** The folder itself, without links; as written if it does not exist. */
    public static Path ofFolder(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize();
        }
    }

    /** Where {@code text} leads from a real folder; what does not exist is taken as written. */
    public static Path of(Path folder, String text) {
        return walk(folder, Path.of(text), true);
    }

    /** The same, but a link at the end of the path is not followed: it is what is meant. */
    public static Path ofLink(Path folder, String text) {
        return walk(folder, Path.of(text), text.endsWith("/"));
    }

    private static Path walk(Path folder, Path path, boolean followLast) {
        Path real = path.isAbsolute() ? path.getRoot() : folder;
        int names = path.getNameCount();
        for (int i = 0; i < names; i++) {
            String name = path.getName(i).toString();
            if (name.equals("..")) {
                real = real.getParent() == null ? real : real.getParent();
            } else if (!name.equals(".") && !name.isEmpty()) {
                real = real.resolve(name);
                if ((followLast || i < names - 1) && Files.isSymbolicLink(real)) {
                    real = target(real);
                }
            }
        }
        return real;
    }

    private static Path target(Path link) {
        try {
            return link.toRealPath();
        } catch (IOException e) {
            return missing(link);
        }
    }

    /** The target of a link to nothing: writing through it creates the file there. */
    private static Path missing(Path link) {
        try {
            return link.resolveSibling(Files.readSymbolicLink(link)).normalize();
        } catch (IOException e) {
            return link;
        }
    }
}
