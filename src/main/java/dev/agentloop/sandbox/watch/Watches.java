package dev.agentloop.sandbox.watch;

import dev.agentloop.sandbox.git.ConfinedGit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks before and after a command for what mounts cannot prevent: repositories within the
 * workspace, which can be moved away and made anew, and control files that may come into being.
 * What would run later outside of the sandbox is renamed, so that nothing runs it. In folders that
 * were added to the workspace the same is done.
 */
public final class Watches {
    private final Path workspace;
    private final List<Watched> roots = new ArrayList<>();

    private record Watched(Path root, RootWatch watch) {}

    private record Seen(Path root, RootWatch.Before before) {}

    /**
     * @param mounted whether the workspace's own repository is protected already
     */
    public Watches(Boundaries boundaries, boolean mounted, ConfinedGit git) {
        this(boundaries, mounted, git, RunRecord.NONE);
    }

    /**
     * @param git in the sandbox of the commands
     * @param record of what a killed run leaves
     */
    public Watches(Boundaries boundaries, boolean mounted, ConfinedGit git, RunRecord record) {
        this.workspace = boundaries.workspace();
        for (Path root : boundaries.roots()) {
            Boundaries seen = boundaries.from(root);
            roots.add(new Watched(root, new RootWatch(seen, mounted, git, record.of(root))));
        }
    }

    /** What was there before a command. */
    public final class Before {
        private final List<Seen> all = new ArrayList<>();

        private Before() {
            roots.stream()
                    .filter(one -> isThere(one.root()))
                    .forEach(one -> all.add(new Seen(one.root(), one.watch().before())));
        }

        /** What is to be said about what has changed; traps are out of the way by then. */
        public List<String> after() {
            List<String> notes = new ArrayList<>();
            for (Seen one : all) {
                String where = one.root().equals(workspace) ? "" : "in " + one.root() + ": ";
                if (!isThere(one.root())) {
                    one.before().forget();
                    notes.add(
                            one.root() + " is gone or leads elsewhere now, and was not looked at");
                    continue;
                }
                one.before().after().forEach(note -> notes.add(where + note));
            }
            return notes;
        }

        /** No command came of it. */
        public void forget() {
            all.forEach(one -> one.before().forget());
        }
    }

    /** What has become a link is not looked at: the look has the user's rights. */
    private boolean isThere(Path root) {
        return root.equals(workspace) || root.equals(HiddenPaths.real(root));
    }

    public Before before() {
        return new Before();
    }
}
