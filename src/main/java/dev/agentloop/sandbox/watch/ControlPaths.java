package dev.agentloop.sandbox.watch;

import dev.agentloop.controlfile.ControlFile;
import dev.agentloop.controlfile.ControlFiles;
import dev.agentloop.controlfile.ControlTree;
import dev.agentloop.controlfile.LinkChain;
import dev.agentloop.storage.Roots;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Files of the workspace that make other programs run something, or tell agents what to do. No
 * command writes them: what it put there would run later, outside of the sandbox.
 *
 * @param present those that exist, and what links lead to that have their names
 * @param missing of the others those that are kept from coming into being; the rest is put away
 *     when it has, since each mount over nothing costs a command more than a millisecond
 */
public record ControlPaths(Set<Path> present, List<Path> missing) {
    /** Would be believed by this program itself. */
    private static final String OWN = ".agent";

    /** Each is a mount of half a millisecond; the links beyond are only watched. */
    static final int MOST_LINKS = 32;

    /**
     * As the tree is now.
     *
     * @param roots of which the main one is looked at; links may lead to the others
     * @param placeholder whether something is there only because a sandbox made it
     */
    public static ControlPaths of(Roots roots, Predicate<Path> placeholder) {
        Path workspace = roots.main();
        Set<Path> present = new LinkedHashSet<>();
        List<Path> missing = new ArrayList<>();
        for (ControlFile file : ControlFiles.top(workspace).found()) {
            boolean submodules = file.name().equals(workspace.resolve(ControlWatch.SUBMODULES));
            if (file.isOfGit() || submodules || placeholder.test(file.name())) {
                continue;
            }
            List<LinkChain> chains = ControlTree.of(roots, file).chains();
            for (LinkChain chain : chains.subList(0, Math.min(chains.size(), MOST_LINKS))) {
                Path target = chain.target();
                boolean inside = roots.holdWithin(target);
                if (inside && present.stream().noneMatch(target::startsWith) && chain.exists()) {
                    present.add(target);
                }
            }
        }
        Path own = workspace.resolve(OWN);
        if (!Files.exists(own, LinkOption.NOFOLLOW_LINKS) || placeholder.test(own)) {
            missing.add(own);
        }
        return new ControlPaths(present, missing);
    }
}
