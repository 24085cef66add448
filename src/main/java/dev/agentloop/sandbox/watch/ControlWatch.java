package dev.agentloop.sandbox.watch;

import dev.agentloop.controlfile.ControlTree;
import dev.agentloop.controlfile.FolderListings;
import dev.agentloop.controlfile.LinkChain;
import dev.agentloop.sandbox.git.file.FolderReader;
import dev.agentloop.sandbox.git.file.OwnerRights;
import dev.agentloop.storage.HeldFolder;
import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks before and after a command at the control files of a workspace. What is new is renamed, so
 * that nothing reads it, links are put back, and other changes are told.
 */
public final class ControlWatch {
    static final Path SUBMODULES = Path.of(".gitmodules"); // git itself makes it
    private static final int MOST_NAMED = 5;
    private static final String WHAT = "it tells other programs what to run or do";
    private static final String LOOK = ": look at it before you use it";

    private final Roots roots;
    private final Path workspace;
    private final boolean mounted;
    private final FolderListings listings;
    private boolean toldOfLimit;
    private int toldUnseen;

    /**
     * @param roots of which the main one is looked at; its links may lead to the others
     * @param mounted whether those in the root that exist are read-only for commands
     */
    public ControlWatch(Roots roots, boolean mounted) {
        this.roots = roots;
        this.workspace = roots.main();
        this.listings = FolderListings.of(workspace);
        this.mounted = mounted;
    }

    /** All control files as they are now. */
    public ControlLook.All look() {
        return ControlLook.all(roots, listings);
    }

    List<String> after(ControlLook.All before) {
        return after(before, look());
    }

    /**
     * What is to be said about what has changed since; traps are out of the way by then.
     *
     * @param all the look before the command
     * @param first the look after it; nothing was moved since then
     */
    List<String> after(ControlLook.All all, ControlLook.All first) {
        List<String> notes = new ArrayList<>();
        List<String> below = new ArrayList<>();
        Map<Path, ControlLook> before = all.looks();
        ControlLook.All now = opened(first, all.closed(), notes);
        Set<Path> names = new LinkedHashSet<>(before.keySet());
        names.addAll(now.looks().keySet());
        for (Path name : names) {
            ControlLook was = before.get(name);
            ControlLook is = now.looks().get(name);
            if (was != null && !was.isNothing()) {
                compare(was, is, notes, below);
            } else if (is != null && is.present()) {
                appeared(is, isOld(is, before.values()), notes, below);
            }
        }
        if (!below.isEmpty()) {
            notes.add(
                    "changed while the command ran: "
                            + few(below)
                            + "; they tell other programs what to run or do: look at them before you"
                            + " use them");
        }
        limits(now, notes);
        return notes;
    }

    /**
     * A look into all folders but those that could not be listed before: one that a command took
     * from its owner could hide anything from us, not from others.
     */
    public ControlLook.All opened(
            ControlLook.All first, Collection<Path> before, List<String> notes) {
        boolean opened = false;
        for (Path folder : first.closed()) {
            if (!before.contains(folder) && OwnerRights.giveBack(folder)) {
                opened = true;
                String shown = folder.equals(workspace) ? "the workspace" : show(folder);
                notes.add(shown + FolderReader.OPENED);
            }
        }
        return opened ? look() : first;
    }

    /** Whether the folder above was a link already, so that only what is in there is new. */
    private static boolean isOld(ControlLook is, Collection<ControlLook> before) {
        List<LinkChain.Link> links = is.file().chain().links();
        return !links.isEmpty()
                && before.stream().anyMatch(look -> look.links().contains(links.getFirst()));
    }

    public void appeared(
            ControlLook is, boolean linkIsOld, List<String> notes, List<String> below) {
        Path name = is.file().name();
        if (!is.file().top()) {
            below.add(show(name));
        } else if (workspace.relativize(name).equals(SUBMODULES)) {
            notes.add(show(name) + " is new; " + WHAT + LOOK);
        } else {
            List<LinkChain.Link> links = is.file().chain().links();
            Path made =
                    links.isEmpty()
                            ? name
                            : linkIsOld ? is.file().chain().target() : links.getFirst().path();
            if (Files.exists(made, LinkOption.NOFOLLOW_LINKS)) {
                String what = made.equals(name) ? "" : " (" + show(name) + " is new by that)";
                notes.add(quarantine(made, what));
            }
        }
    }

    /**
     * @param seen the same name in the look after the command; null if it is not in there
     */
    private void compare(
            ControlLook was, @Nullable ControlLook seen, List<String> notes, List<String> below) {
        boolean top = was.file().top();
        boolean led = false;
        for (LinkChain.Link link : was.links()) {
            if (!link.isThere() && roots.hold(link.path())) {
                led = true;
                if (top) {
                    notes.add(restore(link));
                }
            }
        }
        for (Path target : was.missingTargets(roots)) {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                notes.add(quarantine(target, " (" + show(was.file().name()) + " leads there)"));
            }
        }
        boolean moved = !notes.isEmpty(); // by this look: what it saw may be elsewhere
        ControlLook is = seen == null || moved ? was.again(roots) : seen;
        List<Path> changed = new ArrayList<>(was.changed(is));
        boolean covered =
                mounted
                        && top
                        && was.inode().equals(is.inode())
                        && !workspace.relativize(was.file().name()).equals(SUBMODULES)
                        && was.tree().chains().size() <= ControlPaths.MOST_LINKS;
        if (covered) { // then only what has another name elsewhere
            changed.removeIf(path -> !was.isShared(path) && !is.isShared(path));
        }
        boolean gone = was.present() && !is.present();
        if (!top) {
            if (!gone && (led || !changed.isEmpty())) {
                below.add(show(was.file().name()));
            }
        } else if (gone) {
            notes.add(show(was.file().name()) + " is gone since the command ran; " + WHAT);
        } else if (!changed.isEmpty()) {
            String which = few(changed.stream().map(this::show).toList());
            notes.add(which + " changed while the command ran; " + WHAT + LOOK);
        }
    }

    /** The link as it was; what is in its place is put away first. */
    private String restore(LinkChain.Link link) {
        String told =
                show(link.path()) + ", a link to " + link.text() + ", was changed by the command: ";
        try {
            Path place = inside(link.path());
            String away = "";
            if (Files.exists(link.path(), LinkOption.NOFOLLOW_LINKS)) {
                away =
                        ", and what was put in its place is "
                                + Quarantine.putAway(link.path(), roots.all()).getFileName();
            }
            try (HeldFolder folder = HeldFolder.of(roots, place)) {
                folder.link(place, Path.of(link.text()), roots.around(place));
            }
            return told + WHAT + ", outside of the sandbox: it is back" + away;
        } catch (IOException e) {
            return told + WHAT + ", and it cannot be put back" + LOOK;
        }
    }

    /** Out of the way: nothing reads it under this name. */
    public String quarantine(Path file, String why) {
        String told = show(file) + " was changed by the command" + why + ": " + WHAT;
        try {
            Path away = Quarantine.putAway(file, roots.all());
            return told + ", outside of the sandbox: renamed to " + away.getFileName();
        } catch (IOException e) {
            return told + ", outside of the sandbox; it cannot be renamed: remove it";
        }
    }

    /** A path without links; a folder on the way may lead out, and what lies there is not ours. */
    private Path inside(Path file) throws IOException {
        Path folder = file.getParent();
        Path real = folder == null ? null : folder.toRealPath();
        if (real == null || !roots.hold(real)) {
            throw new IOException("not in the workspace: " + file);
        }
        return real.resolve(file.getFileName());
    }

    private void limits(ControlLook.All now, List<String> notes) {
        List<String> large = new ArrayList<>();
        for (ControlLook look : now.looks().values()) {
            if (look.tree().isCut() && !(mounted && look.file().top())) {
                large.add(show(look.file().name()));
            }
        }
        now.cut().forEach(folder -> large.add(show(folder)));
        if (!now.complete()) {
            large.add("folders below the root");
        }
        if (!large.isEmpty() && !toldOfLimit) {
            toldOfLimit = true;
            notes.add(
                    "of the control files in %s only some are looked at (%d of each folder): changes"
                                    .formatted(few(large), ControlTree.MOST)
                            + " of the others are not noticed");
        }
        if (now.unseen() != toldUnseen && now.unseen() > 0) {
            notes.add(
                    "the workspace is too large to look for control files in all of it: "
                            + now.unseen()
                            + " folders or more were not looked at, or not whole; before you use what"
                            + " the command made there, look for files that tell other programs what"
                            + " to run or do");
        }
        toldUnseen = now.unseen();
    }

    private String show(Path file) {
        return file.startsWith(workspace) ? workspace.relativize(file).toString() : file.toString();
    }

    private static String few(List<String> names) {
        String shown = String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)));
        return names.size() > MOST_NAMED
                ? shown + " and " + (names.size() - MOST_NAMED) + " more"
                : shown;
    }
}
