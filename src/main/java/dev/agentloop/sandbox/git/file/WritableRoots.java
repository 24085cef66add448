package dev.agentloop.sandbox.git.file;

import dev.agentloop.controlfile.LinkChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Where commands may change files. The look reads and renames there only: it has the user's rights,
 * and a command can make any folder a link to what is not its business.
 */
public final class WritableRoots {
    private final Set<Path> roots = new CopyOnWriteArraySet<>();

    /** Real paths are taken now: a command may replace a folder by a link later. */
    public WritableRoots(Collection<Path> folders) {
        folders.forEach(this::add);
    }

    /** A further folder; one within another is that one's. */
    public void add(Path folder) {
        if (roots.stream().noneMatch(folder::startsWith)) {
            Path real = GitFiles.real(folder);
            roots.add(real == null ? folder : real);
        }
    }

    public Collection<Path> roots() {
        return Collections.unmodifiableSet(roots);
    }

    boolean contains(Path real) {
        return roots.stream().anyMatch(real::startsWith);
    }

    /** Whether it lies here when all links are followed; of nothing, whether its folder does. */
    public boolean holds(Path file) {
        Path real = GitFiles.real(file);
        Path at = real != null || file.getParent() == null ? real : GitFiles.real(file.getParent());
        return at == null || contains(at);
    }

    /** The first link on the way to a file that leads elsewhere; null if there is none in here. */
    @Nullable
    public Path wayOut(Path file) {
        Path at = roots.stream().filter(file::startsWith).findFirst().orElse(null);
        if (at == null) {
            return null;
        }
        for (Path name : at.relativize(file)) {
            Path next = at.resolve(name);
            if (Files.isSymbolicLink(next)) {
                Path real = GitFiles.real(next);
                if (real == null || !contains(real)) {
                    return next;
                }
                at = real;
            } else {
                at = next;
            }
        }
        return null;
    }

    /** Where a file would come to be that is written through a link, also if nothing is there. */
    public static Path destination(Path link) {
        return LinkChain.of(link.getRoot(), link.getRoot().relativize(link)).target();
    }

    /** What a link says; empty if it is none. */
    public static String said(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
