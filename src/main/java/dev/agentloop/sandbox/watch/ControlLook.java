package dev.agentloop.sandbox.watch;

import dev.agentloop.controlfile.ControlFile;
import dev.agentloop.controlfile.ControlFiles;
import dev.agentloop.controlfile.ControlGroup;
import dev.agentloop.controlfile.ControlTree;
import dev.agentloop.controlfile.FolderListings;
import dev.agentloop.controlfile.LinkChain;
import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.RecordText;
import dev.agentloop.storage.Roots;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One control file as it was at some moment.
 *
 * @param present whether there was more than an empty folder, which may be a placeholder
 * @param inode of what its name led to: with another one a mount over it has gone
 */
public record ControlLook(ControlFile file, ControlTree tree, boolean present, String inode) {
    private static final int MOST_BELOW = 3000; // files of all control folders below the root

    /**
     * All that can be found quickly, by name.
     *
     * @param complete whether no control folder below the root was left out
     * @param closed folders that could not be listed
     * @param cut folders that hold too much to be listed whole
     * @param unseen how many folders were not looked at, or not whole, at least
     */
    public record All(
            Map<Path, ControlLook> looks,
            boolean complete,
            List<Path> closed,
            List<Path> cut,
            int unseen) {}

    static All all(Roots roots, FolderListings listings) {
        Path workspace = roots.main();
        Map<Path, ControlLook> looks = new LinkedHashMap<>();
        int below = 0;
        List<Path> closed = new ArrayList<>();
        ControlFiles near = ControlFiles.near(workspace, listings);
        List<ControlFile> files = new ArrayList<>(near.found());
        Path shared = workspace.resolve(".git/commondir"); // would lead git to other settings
        if (Files.exists(shared, LinkOption.NOFOLLOW_LINKS)) {
            LinkChain chain = LinkChain.of(workspace, workspace.relativize(shared));
            files.add(new ControlFile(shared, ControlGroup.HOOKS, chain, true));
        }
        for (ControlFile file : files) {
            if (!file.isOfGit() && (file.top() || below < MOST_BELOW)) {
                ControlLook look = of(roots, file);
                below += file.top() ? 0 : look.tree.stamps().size();
                looks.put(file.name(), look);
                closed.addAll(look.tree.closed());
            }
        }
        closed.addAll(near.closed());
        return new All(looks, below < MOST_BELOW, closed, near.cut(), near.unseen());
    }

    private static ControlLook of(Roots roots, ControlFile file) {
        ControlTree tree = ControlTree.of(roots, file);
        boolean empty = file.chain().links().isEmpty() && tree.isEmpty();
        boolean present = !empty && Files.exists(file.name(), LinkOption.NOFOLLOW_LINKS);
        return new ControlLook(file, tree, present, GitFiles.inode(file.name()));
    }

    /** The same name, looked at anew. */
    ControlLook again(Roots roots) {
        Path workspace = roots.main();
        LinkChain chain = LinkChain.of(workspace, workspace.relativize(file.name()));
        return of(roots, new ControlFile(file.name(), file.group(), chain, file.top()));
    }

    /** Links that decided what the name means, each once. */
    List<LinkChain.Link> links() {
        return tree.chains().stream().flatMap(chain -> chain.links().stream()).distinct().toList();
    }

    /** Where links lead in the roots and nothing is: whoever makes it makes the control file. */
    List<Path> missingTargets(Roots roots) {
        return tree.chains().stream()
                .filter(chain -> !chain.links().isEmpty())
                .map(LinkChain::target)
                .filter(roots::holdWithin)
                .filter(target -> !tree.stamps().containsKey(target))
                .distinct()
                .toList();
    }

    /** Whether it was made by a name that is nowhere, not even as a link's target. */
    boolean isNothing() {
        return !present && file.chain().links().isEmpty();
    }

    /** Files that are not as they were, or gone, or new. */
    List<Path> changed(ControlLook now) {
        List<Path> changed = new ArrayList<>();
        now.tree
                .stamps()
                .forEach((path, stamp) -> {
                    if (!stamp.equals(tree.stamps().get(path))) {
                        changed.add(path);
                    }
                });
        tree.stamps().keySet().stream()
                .filter(path -> !now.tree.stamps().containsKey(path))
                .forEach(changed::add);
        return changed;
    }

    /** Whether the file has, or had, another name, by which it can be changed elsewhere. */
    boolean isShared(Path path) {
        ControlTree.Stamp stamp = tree.stamps().get(path);
        return stamp != null && stamp.names() > 1;
    }

    /** A short text that differs if anything of it does. */
    public String digest() {
        return RecordText.digest(tree.stamps() + " " + links());
    }
}
