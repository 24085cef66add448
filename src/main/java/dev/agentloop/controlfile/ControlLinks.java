package dev.agentloop.controlfile;

import dev.agentloop.storage.Roots;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files of other names that are control files because a link leads there whose name is one, or
 * which lies in a folder of such a name: whoever writes them, or puts another folder in the place
 * of theirs, writes the control file.
 */
public final class ControlLinks {
    private final Roots roots;
    private final Map<Path, ControlGroup> places = new HashMap<>();
    private final List<ControlFiles.LinkedFolder> folders;

    /**
     * As the workspace is now: its root, the folders near it, and what is in control folders.
     *
     * @param roots of which the main one is looked at; links may lead to the others
     */
    public ControlLinks(Roots roots) {
        this.roots = roots;
        ControlFiles files = ControlFiles.near(roots.main());
        this.folders = files.linked();
        for (ControlFile file : files.found()) {
            boolean repository = file.isOfGit() && file.chain().links().isEmpty();
            if (!repository) {
                ControlTree.of(roots, file).chains().forEach(chain -> add(chain, file.group()));
            }
        }
    }

    private void add(LinkChain chain, ControlGroup group) {
        if (chain.links().isEmpty()) {
            return;
        }
        chain.links().forEach(link -> put(link.path(), group));
        put(chain.target(), group);
    }

    private void put(Path path, ControlGroup group) {
        if (roots.holdWithin(path)) {
            Path plain = plain(path);
            Optional<ControlGroup> known = Optional.ofNullable(places.get(plain));
            ControlGroup.stricter(known, Optional.of(group))
                    .ifPresent(one -> places.put(plain, one));
        }
    }

    /**
     * What a change of the path would change as well.
     *
     * @param path real, in one of the roots
     */
    public Optional<ControlGroup> groupOf(Path path) {
        Path plain = plain(path);
        Optional<ControlGroup> inFolder =
                folders.stream()
                        .map(folder -> groupIn(folder, plain))
                        .reduce(Optional.empty(), ControlGroup::stricter);
        return places.entrySet().stream()
                .filter(place ->
                        plain.startsWith(place.getKey()) || place.getKey().startsWith(plain))
                .map(place -> Optional.of(place.getValue()))
                .reduce(inFolder, ControlGroup::stricter);
    }

    private Optional<ControlGroup> groupIn(ControlFiles.LinkedFolder folder, Path plain) {
        Path target = folder.chain().target();
        if (!roots.holdWithin(target)) {
            return Optional.empty();
        }
        Path place = plain(target);
        boolean below = plain.startsWith(place) && plain.getNameCount() > place.getNameCount();
        return below
                ? ControlNames.groupIn(
                        folder.name(), plain.getName(place.getNameCount()).toString())
                : Optional.empty();
    }

    private static Path plain(Path path) {
        Path plain = Path.of("/");
        for (Path name : path) {
            plain = plain.resolve(ControlNames.plain(name.toString()));
        }
        return plain;
    }
}
