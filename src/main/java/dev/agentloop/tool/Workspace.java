package dev.agentloop.tool;

import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * The folder that the run may touch, and those that a person has added to it. Paths are judged by
 * where they lead after all symbolic links, component by component, so neither {@code ../x} nor a
 * link nor a sibling {@code ws2} gets out.
 */
public final class Workspace {
    private static final int MAX_LINKS = 40; // as Linux
    private static final int MAX_BYTES = 4096; // of a path, as Linux

    private final Roots roots;
    private final List<Path> readable;
    private final Predicate<String> leftOut;

    /**
     * @param root an existing directory
     */
    public Workspace(Path root) throws IOException {
        this(root, List.of());
    }

    /**
     * @param root an existing directory
     * @param readable real paths of folders outside of it that may be read
     */
    public Workspace(Path root, List<Path> readable) throws IOException {
        this(List.copyOf(readable), Roots.only(root.toRealPath()), SecretNames::isNameOf);
    }

    private Workspace(List<Path> readable, Roots roots, Predicate<String> leftOut) {
        this.roots = roots;
        this.readable = readable;
        this.leftOut = leftOut;
    }

    /** The same workspace with further folders that count as part of it. */
    public Workspace adding(List<Path> realFolders) {
        return new Workspace(readable, new Roots(root(), realFolders), leftOut);
    }

    /** Real path of the root, to which names are relative. */
    public Path root() {
        return roots.main();
    }

    /** The root and the folders that were added to it. */
    public Roots roots() {
        return roots;
    }

    /** The real path that {@code path} leads to; its last component need not exist. */
    public Path resolve(String path) throws ToolException {
        return inside(path, real(path, true));
    }

    /** As {@link #resolve(String)}, but a link at the end is meant itself, not where it leads. */
    public Path resolveName(String path) throws ToolException {
        return inside(path, real(path, false));
    }

    /** As {@link #resolve}, for a file that is only read: the readable folders count as inside. */
    public Path resolveReadable(String path) throws ToolException {
        Path real = real(path, true);
        return readable.stream().anyMatch(real::startsWith) ? real : inside(path, real);
    }

    /**
     * The real path that {@code path} leads to, also outside of the workspace: for judging a call
     * before it runs.
     *
     * @param throughLast whether a link at the end means where it leads
     */
    public Path locate(String path, boolean throughLast) throws ToolException {
        return real(path, throughLast);
    }

    /** The same workspace, in which these real paths may be read as well. */
    public Workspace opening(Collection<Path> paths) {
        List<Path> more = new ArrayList<>(readable);
        paths.stream().filter(path -> !roots.hold(path)).forEach(more::add);
        return more.size() == readable.size()
                ? this
                : new Workspace(List.copyOf(more), roots, leftOut);
    }

    /** The same workspace, of which searches leave these files out as well. */
    public Workspace leavingOut(Predicate<String> files) {
        return new Workspace(readable, roots, leftOut.or(files));
    }

    /**
     * Whether a search of a folder leaves a file out, because it looks like a secret or is declared
     * to be one. In an added folder both names of a file count, the one from there and the whole.
     *
     * @param root of {@link #roots()}, in which the file lies
     * @param relative its path from there
     */
    public boolean isLeftOut(Path root, String relative) {
        return leftOut.test(relative)
                || roots.isAdded(root) && leftOut.test(root.resolve(relative).toString());
    }

    private Path inside(String path, Path real) throws ToolException {
        if (!roots.hold(real)) {
            throw outside(path);
        }
        return real;
    }

    private Path real(String path, boolean throughLast) throws ToolException {
        if (path.isEmpty()) {
            throw ToolException.error("The path is empty. Give a path inside the workspace.");
        }
        if (path.length() > MAX_BYTES) { // following a longer one takes memory by its square
            throw ToolException.error(
                    "The path has %d characters; no path has more than %d bytes."
                            .formatted(path.length(), MAX_BYTES));
        }
        try {
            Path wanted = root().resolve(path).normalize();
            boolean named =
                    !throughLast && !roots.all().contains(wanted) && wanted.getParent() != null;
            return named
                    ? follow(parentOf(wanted), MAX_LINKS).resolve(nameOf(wanted))
                    : follow(wanted, MAX_LINKS);
        } catch (InvalidPathException e) {
            throw ToolException.error("Not a path: " + e.getReason());
        } catch (IOException e) {
            throw ToolException.error("Cannot resolve " + path + ": " + e.getMessage());
        }
    }

    private ToolException outside(String path) {
        List<String> added = roots.added().stream().map(Path::toString).toList();
        return ToolException.error(
                path
                        + " is outside the workspace "
                        + root()
                        + (added.isEmpty()
                                ? ". Use a path inside it."
                                : " and the folders added to it (%s). Use a path inside of one."
                                        .formatted(String.join(", ", added))));
    }

    /** The path as people and models read it: relative to the root, elsewhere absolute. */
    public String show(Path path) {
        if (!path.startsWith(root())) {
            return path.toString();
        }
        String relative = root().relativize(path).toString();
        return relative.isEmpty() ? "." : relative;
    }

    /** What stands before the names of files as seen from a root; empty for the workspace's own. */
    public String prefix(Path root) {
        return roots.isAdded(root) ? root + "/" : "";
    }

    /** Resolves links of the deepest existing part, then a link at the end, then what is new. */
    private static Path follow(Path path, int linksLeft) throws IOException {
        if (linksLeft == 0) {
            throw new IOException("too many symbolic links");
        }
        if (Files.isSymbolicLink(path)) {
            Path parent = follow(parentOf(path), linksLeft);
            Path target = parent.resolve(Files.readSymbolicLink(path)).normalize();
            return follow(target, linksLeft - 1);
        }
        if (Files.exists(path)) {
            return path.toRealPath();
        }
        Path parent = path.getParent();
        if (parent == null) {
            return path;
        }
        return follow(parent, linksLeft).resolve(nameOf(path));
    }

    private static Path parentOf(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException("no parent: " + path);
        }
        return parent;
    }

    private static Path nameOf(Path path) throws IOException {
        Path name = path.getFileName();
        if (name == null) {
            throw new IOException("no name: " + path);
        }
        return name;
    }
}
