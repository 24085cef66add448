package dev.agentloop.undo;

import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileState;
import dev.agentloop.session.FileState.Kind;
import dev.agentloop.session.PreImage;
import dev.agentloop.storage.HeldFolder;
import dev.agentloop.storage.Roots;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.file.FileTransaction;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes single names of a workspace hold again what they held. It neither leaves the workspace nor
 * goes through a symbolic link: a folder that has become one since is refused.
 */
final class Restorer {
    private final Roots roots;
    private final Blobs blobs;

    /**
     * @param roots of the workspace, and those in which the session has changed files
     */
    Restorer(Roots roots, Blobs blobs) {
        this.roots = roots;
        this.blobs = blobs;
    }

    /** The kept content; throws if it is not what was kept. */
    byte[] content(FileState wanted, String blob) throws IOException {
        if (blob.isEmpty()) {
            throw new IOException("its content was not kept");
        }
        byte[] content = blobs.read(blob);
        if (!SeenFiles.fingerprint(content).equals(wanted.mark())) {
            throw new IOException("its kept content is damaged");
        }
        return content;
    }

    void restore(String name, FileState wanted, String blob) throws IOException {
        Path path = checked(name);
        switch (wanted.kind()) {
            case ABSENT -> remove(path);
            case FILE -> write(path, content(wanted, blob), wanted.mode());
            case LINK -> link(path, wanted.mark());
            case FOLDER -> Files.createDirectories(path);
            case OTHER -> throw new IOException("it was neither a file nor a link");
        }
    }

    /** Gives what is at {@code from} its old name; what has taken that since goes. */
    void move(String from, String to) throws IOException {
        Path source = checked(from);
        Path target = checked(to);
        remove(target);
        createParents(target);
        try (HeldFolder folder = HeldFolder.of(roots, source);
                HeldFolder into = HeldFolder.of(roots, target)) {
            if (into.has(target)) {
                throw new FileAlreadyExistsException(target.toString());
            }
            folder.move(source, into, target);
        }
    }

    private void remove(Path path) throws IOException {
        switch (CurrentFile.at(path).state().kind()) {
            case ABSENT -> {}
            case FILE -> commit(transaction -> transaction.delete(path));
            case LINK -> unlink(path);
            case FOLDER -> removeEmpty(path);
            case OTHER -> throw new IOException("it is neither a file nor a link now");
        }
    }

    private void unlink(Path link) throws IOException {
        try (HeldFolder folder = HeldFolder.of(roots, link)) {
            folder.delete(link);
        }
    }

    private void removeEmpty(Path path) throws IOException {
        try (HeldFolder folder = HeldFolder.of(roots, path)) {
            folder.deleteFolder(path);
        } catch (DirectoryNotEmptyException e) {
            // somebody uses it
        }
    }

    private void write(Path path, byte[] content, int mode) throws IOException {
        Kind now = CurrentFile.at(path).state().kind();
        if (now != Kind.ABSENT && now != Kind.FILE) {
            throw new IOException("there is no regular file any more");
        }
        commit(transaction -> transaction.write(path, content, path, mode));
    }

    private void link(Path path, String text) throws IOException {
        if (CurrentFile.at(path).state().kind() != Kind.ABSENT) {
            remove(path);
        }
        createParents(path);
        try (HeldFolder folder = HeldFolder.of(roots, path)) {
            folder.link(path, Path.of(text), roots.around(path));
        }
    }

    private void createParents(Path path) throws IOException {
        Path folder = path.getParent();
        if (folder != null) {
            Files.createDirectories(folder); // checked: no link among those that are there
        }
    }

    private interface Content {
        void addTo(FileTransaction transaction);
    }

    private void commit(Content change) throws IOException {
        FileTransaction transaction = new FileTransaction(roots);
        change.addTo(transaction);
        try {
            transaction.commit(ToolContext.Barrier.OPEN);
        } catch (ToolException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The path of a name, all folders above it being real ones or missing. */
    Path checked(String name) throws IOException {
        PreImage.checkName(name);
        Path path = roots.main().resolve(name);
        Path root = roots.around(path);
        if (!path.equals(path.normalize()) || !path.startsWith(root) || path.equals(root)) {
            throw new IOException("it is outside of the workspace");
        }
        requireAsItWas(root);
        Path folder = root;
        for (Path component : root.relativize(path)) {
            Kind kind = CurrentFile.at(folder).state().kind();
            if (kind == Kind.ABSENT) {
                break;
            }
            if (kind != Kind.FOLDER) {
                throw new IOException(
                        "its folder "
                                + root.relativize(folder)
                                + (kind == Kind.LINK ? " is a symbolic link now" : " is none now"));
            }
            folder = folder.resolve(component);
        }
        return path;
    }

    /** Since the session a later run, whose folders hold this one, may have exchanged it. */
    private static void requireAsItWas(Path root) throws IOException {
        if (!Files.isDirectory(root) || !root.toRealPath().equals(root)) {
            throw new IOException("the folder " + root + " is gone, or leads elsewhere now");
        }
    }
}
