package dev.agentloop.controlfile;

import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * All that a control file consists of: itself, or what is in the folder, and where links in there
 * lead. Each file has a stamp that every change alters, whatever is done to hide it.
 */
public final class ControlTree {
    /** Files and folders looked at; each costs some 5 µs. */
    public static final int MOST = 1000;

    private static final int TYPE = 0170000; // of st_mode
    private static final int FOLDER = 0040000;
    private static final int LINK = 0120000;
    private static final Stamp CLOSED = new Stamp("cannot be listed", 1);

    private final Roots roots;
    private final Map<Path, Stamp> stamps = new LinkedHashMap<>();
    private final List<LinkChain> chains = new ArrayList<>();
    private final List<Path> closed = new ArrayList<>();
    private boolean cut;

    /**
     * What shows that a file has changed.
     *
     * @param text number, size, mode and time of the last change of content or attributes, which
     *     nobody can set; of a folder only that it is one, of a link what it holds
     * @param names how many names the file has; one that has several can be changed elsewhere
     */
    public record Stamp(String text, int names) {}

    private ControlTree(Roots roots) {
        this.roots = roots;
    }

    /**
     * As it is now.
     *
     * @param roots folders in which links are followed
     */
    public static ControlTree of(Roots roots, ControlFile file) {
        ControlTree tree = new ControlTree(roots);
        tree.follow(file.chain());
        return tree;
    }

    /** By path; empty if nothing is there. */
    public Map<Path, Stamp> stamps() {
        return stamps;
    }

    /** Where it leads itself, and then each link in it. */
    public List<LinkChain> chains() {
        return chains;
    }

    /** Whether there is more than {@link #MOST}, which was not looked at. */
    public boolean isCut() {
        return cut;
    }

    /** Folders of it that could not be listed. */
    public List<Path> closed() {
        return closed;
    }

    /** Whether there is nothing, or only a folder without anything in it. */
    public boolean isEmpty() {
        return stamps.values().stream().allMatch(stamp -> stamp.text.isEmpty());
    }

    private void follow(LinkChain chain) {
        chains.add(chain);
        if (roots.holdWithin(chain.target())) { // elsewhere it is its owner's; a root is everything
            visit(chain.target());
        }
    }

    /** To show the time as a date would take longer than all else. */
    private static Stamp stamp(Map<String, Object> seen) {
        long nanos = seen.get("ctime") instanceof FileTime at ? at.to(TimeUnit.NANOSECONDS) : 0;
        int names = number(seen, "nlink");
        String text = number(seen, "mode") + " " + seen.get("ino") + " " + seen.get("size");
        return new Stamp(text + " " + nanos + " " + names, names);
    }

    private static int number(Map<String, Object> seen, String name) {
        return seen.get(name) instanceof Integer number ? number : 0;
    }

    /** In order, so that a cut is always in the same place. */
    private List<Path> entries(Path folder) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (found.size() > MOST) {
                    break;
                }
                found.add(entry);
            }
        } catch (AccessDeniedException e) {
            closed.add(folder);
            stamps.put(folder, CLOSED); // others, who know the names in it, may still read them
        } catch (IOException | DirectoryIteratorException e) {
            return found; // what was in it shows as gone
        }
        Collections.sort(found);
        return found;
    }

    private void visit(Path path) {
        if (stamps.containsKey(path)) {
            return;
        }
        if (stamps.size() >= MOST) {
            cut = true;
            return;
        }
        Map<String, Object> seen;
        try {
            seen =
                    Files.readAttributes(
                            path, "unix:mode,ino,ctime,size,nlink", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return; // nothing there
        }
        int type = number(seen, "mode") & TYPE;
        if (type == FOLDER) {
            stamps.put(path, new Stamp("", 1));
            entries(path).forEach(this::visit);
        } else if (type == LINK) {
            LinkChain chain = LinkChain.of(path.getRoot(), path.getRoot().relativize(path));
            String text = chain.links().isEmpty() ? "?" : chain.links().getFirst().text();
            stamps.put(path, new Stamp("link to " + text, 1));
            follow(chain);
        } else {
            stamps.put(path, stamp(seen));
        }
    }
}
