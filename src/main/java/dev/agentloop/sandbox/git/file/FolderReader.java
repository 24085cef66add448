package dev.agentloop.sandbox.git.file;

import dev.agentloop.controlfile.FolderEntries;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists folders for a look. A folder that a command has made unreadable hides from us what git,
 * which knows the names, still finds: after a command we make such a folder readable again.
 */
public final class FolderReader {
    /** What is said of such a folder, behind its name. */
    public static final String OPENED =
            " could not be listed after the command: you may read it again";

    private Set<Path> closed = new LinkedHashSet<>();
    private Set<Path> opened = new LinkedHashSet<>();
    private @Nullable Set<Path> closedBefore;

    public FolderReader() {}

    /** Begins the look before a command, which changes nothing. */
    public void begin() {
        beginAfter(Set.of());
        closedBefore = null;
    }

    /**
     * Begins the look after a command.
     *
     * @param before what could not be listed before it: that is the user's business
     */
    public void beginAfter(Set<Path> before) {
        closed = new LinkedHashSet<>();
        opened = new LinkedHashSet<>();
        closedBefore = before;
    }

    /** What could not be listed since the look began. */
    public Set<Path> closed() {
        return closed;
    }

    /** Those that the look has made readable again. */
    public Set<Path> opened() {
        return opened;
    }

    /** In no order, those before the first that is not wanted; none if it is no folder. */
    public List<Path> entries(Path folder, Predicate<Path> wanted) {
        List<Path> found = new ArrayList<>();
        try {
            FolderEntries.show(folder, entry -> wanted.test(entry) && found.add(entry));
        } catch (AccessDeniedException e) {
            closed.add(folder);
            boolean ours = closedBefore != null && !closedBefore.contains(folder);
            if (ours && OwnerRights.giveBack(folder)) {
                opened.add(folder);
                listAgain(folder, wanted, found);
            }
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    private static void listAgain(Path folder, Predicate<Path> wanted, List<Path> found) {
        try {
            FolderEntries.show(folder, entry -> wanted.test(entry) && found.add(entry));
        } catch (IOException e) {
            found.clear(); // it has gone meanwhile
        }
    }
}
