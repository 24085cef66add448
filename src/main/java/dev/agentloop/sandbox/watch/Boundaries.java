package dev.agentloop.sandbox.watch;

import dev.agentloop.sandbox.home.ToolCaches;
import dev.agentloop.storage.Roots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What sandboxed commands may touch.
 *
 * @param workspace the real path of the folder that they may change
 * @param home of the user; what builds need of it is readable, all else is not
 * @param own our configuration, sessions and the like: neither read nor written by commands
 * @param writable further folders that they may change
 * @param readable what else they may read in home directories
 * @param environment of this program; it names sockets and folders of the user's session
 * @param network whether all commands get the network
 * @param sensitive those of {@code own} that may lie in the workspace
 * @param added folders that count as part of the workspace, by their real paths
 */
public record Boundaries(
        Path workspace,
        Path home,
        List<Path> own,
        List<Path> writable,
        List<Path> readable,
        Map<String, String> environment,
        boolean network,
        List<Path> sensitive,
        List<Path> added) {
    /** Without further readable places, without sensitive files and added folders. */
    public Boundaries(
            Path workspace,
            Path home,
            List<Path> own,
            List<Path> writable,
            Map<String, String> environment,
            boolean network) {
        this(workspace, home, own, writable, List.of(), environment, network, List.of(), List.of());
    }

    /**
     * Name of a file that names a process. While that lives and the file lies beside worktrees, a
     * command in one of them writes nothing that they have in common but objects: no branch, no
     * stash, nobody else's index.
     */
    public static final String EACH_TREE_ALONE = ".each-tree-alone";

    /** Whether a folder is such a worktree, now. */
    public static boolean isTreeAlone(Path workspace) {
        return ProcessMark.counts(workspace.resolveSibling(EACH_TREE_ALONE));
    }

    /** What that file has to hold so that it counts while this process lives. */
    public static String thisProcess() {
        return ProcessMark.ofThisProcess();
    }

    /** The same with more that commands neither read nor write. */
    public Boundaries hiding(List<Path> more) {
        List<Path> all = new ArrayList<>(own);
        all.addAll(more);
        List<Path> files = new ArrayList<>(sensitive);
        files.addAll(more);
        return new Boundaries(
                workspace,
                home,
                List.copyOf(all),
                writable,
                readable,
                environment,
                network,
                List.copyOf(files),
                added);
    }

    /**
     * Variables with which commands find a folder for temporary files, and caches in it.
     *
     * @param network whether these commands have one
     */
    public Map<String, String> temporaries(Path tmp, boolean network) {
        List<Path> places = new ArrayList<>(writable);
        places.addAll(roots());
        Map<String, String> variables =
                new HashMap<>(ToolCaches.of(home, environment, places, network, tmp));
        for (String name : List.of("TMPDIR", "TMP", "TEMP")) {
            variables.put(name, tmp.toString());
        }
        return variables;
    }

    /** The same around another workspace. */
    public Boundaries around(Path other) {
        return with(other, added);
    }

    /** The same as seen from one of the roots, to which the others were added. */
    public Boundaries from(Path root) {
        return with(root, seen().from(root).added());
    }

    private Boundaries with(Path root, List<Path> others) {
        return new Boundaries(
                root, home, own, writable, readable, environment, network, sensitive, others);
    }

    /**
     * The workspace and what was added to it, as far as that is still there: a folder that has
     * become a link leads elsewhere, where nobody has let commands write.
     */
    public Roots seen() {
        return new Roots(
                workspace,
                added.stream().filter(path -> path.equals(HiddenPaths.real(path))).toList());
    }

    /** All of {@link #seen}. */
    public List<Path> roots() {
        return seen().all();
    }

    /** Whether a real path lies in one of the roots. */
    public boolean isInRoots(Path path) {
        return path.startsWith(workspace) || added.stream().anyMatch(path::startsWith);
    }
}
