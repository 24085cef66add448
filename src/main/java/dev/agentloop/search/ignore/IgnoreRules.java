package dev.agentloop.search.ignore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a search leaves out: what git ignores, folders of version control, and folders of packages
 * and build results unless an ignore file brings them back.
 *
 * <p>Files are read, git is never run: a repository can make git run its own programs. The user's
 * global ignore file is not read, so that a search finds the same on every machine.
 */
public final class IgnoreRules {
    private static final Set<String> METADATA = Set.of(".git", ".hg", ".svn");

    /** Weakest of all rules. */
    private static final IgnoreFile PACKAGES = IgnoreFile.of("node_modules/\n__pycache__/\n");

    /** Where no repository says what is a source; in one, a package may be called "target". */
    private static final IgnoreFile BUILDS =
            IgnoreFile.of("node_modules/\n__pycache__/\ntarget/\n");

    private final String way;
    private final @Nullable IgnoreRules weaker;
    private final IgnoreFile file;
    private final int skipped;

    /**
     * @param way leads from the top of the repository to the root of the search, as bytes
     * @param skipped where in a path from that top the folder of the file ends
     */
    private IgnoreRules(String way, @Nullable IgnoreRules weaker, IgnoreFile file, int skipped) {
        this.way = way;
        this.weaker = weaker;
        this.file = file;
        this.skipped = skipped;
    }

    /** What holds above {@code root}: rules of the repository around it, if there is one. */
    public static IgnoreRules around(Path root) throws IOException {
        IgnoreRules usual = new IgnoreRules("", null, BUILDS, 0);
        Path top = isRepository(root) ? null : root.getParent();
        while (top != null && !isRepository(top)) {
            top = top.getParent();
        }
        if (top == null) {
            return usual;
        }
        String way = FileBytes.ofName(top.relativize(root) + "/");
        IgnoreRules rules = new IgnoreRules(way, null, BUILDS, 0).enter(top, 0, true);
        Path folder = top;
        int end = -1;
        for (Path name : top.relativize(root)) {
            end = way.indexOf('/', end + 1);
            if (rules.ignoresBytes(way.substring(0, end), true)) {
                return usual; // ignored as a whole, and yet it is what was asked for
            }
            folder = folder.resolve(name);
            if (!folder.equals(root)) {
                rules = rules.enter(folder, end + 1, false);
            }
        }
        return rules;
    }

    /** Whether a repository begins here; what is ignored outside of it says nothing inside. */
    public static boolean isRepository(Path folder) {
        return Files.exists(folder.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
    }

    /** The rules when nothing is known of the folders above. */
    public IgnoreRules forgotten() {
        return new IgnoreRules(way, null, BUILDS, 0);
    }

    /**
     * These rules and those of the ignore file in {@code folder}, if there is one.
     *
     * @param relative the folder as seen from the root: empty, or ending with a slash
     * @param repository whether a repository begins here
     */
    public IgnoreRules in(Path folder, String relative, boolean repository) throws IOException {
        int length = way.length() + FileBytes.ofName(relative).length();
        return enter(folder, length, repository);
    }

    /** The strongest rule that speaks wins: of the deepest file, there the last one. */
    public boolean ignores(String relative, boolean folder) {
        String path = FileBytes.ofName(relative);
        return ignoresBytes(way.isEmpty() ? path : way + path, folder);
    }

    private boolean ignoresBytes(String path, boolean folder) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (METADATA.contains(name) && (folder || name.equals(".git"))) {
            return true;
        }
        for (IgnoreRules rules = this; rules != null; rules = rules.weaker) {
            Boolean said = rules.file.verdict(path, rules.skipped, name, folder);
            if (said != null) {
                return said;
            }
        }
        return false;
    }

    private IgnoreRules enter(Path folder, int length, boolean repository) throws IOException {
        IgnoreRules rules = repository ? atTop(folder, length) : this;
        IgnoreFile here = IgnoreFile.read(folder.resolve(".gitignore"));
        return here.isEmpty() ? rules : new IgnoreRules(way, rules, here, length);
    }

    private IgnoreRules atTop(Path folder, int length) throws IOException {
        IgnoreRules packages = new IgnoreRules(way, null, PACKAGES, 0);
        IgnoreFile exclude = IgnoreFile.read(RepositoryFiles.of(folder).resolve("info/exclude"));
        return exclude.isEmpty() ? packages : new IgnoreRules(way, packages, exclude, length);
    }
}
