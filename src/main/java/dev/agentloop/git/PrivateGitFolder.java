package dev.agentloop.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A repository as git sees it through a folder of ours. The folder has settings that we have
 * written, no hooks, a copy of HEAD, and links to the objects, branches and patterns of the
 * repository, which are data. So there is no file of settings that a repository could name a
 * program in; attributes may name filters and drivers, but none is defined. Git reads the files of
 * the work tree and must not go into repositories below it, which have settings of their own: each
 * question that could says {@code --ignore-submodules}.
 *
 * <p>No sandboxed command can write to it. Closing it removes it.
 */
public final class PrivateGitFolder implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final String NAME = "agent-git-"; // then the process and a number
    private static final Duration KEPT = Duration.ofDays(1); // no folder is needed for longer
    private static final int MOST_OF_HEAD = 4_096; // bytes
    private static final String DETACHED_FROM_NOTHING = "ref: refs/heads/no-such-branch\n";

    private final Git git;
    private final GitPlace place;
    private final Path folder;
    private final boolean tables;
    private final Map<String, String> variables = new HashMap<>();

    private PrivateGitFolder(Git git, GitPlace place, Path folder, boolean tables) {
        this.tables = tables;
        this.git = git;
        this.place = place;
        this.folder = folder;
        variables.put("GIT_DIR", folder.toString());
        variables.put("GIT_WORK_TREE", place.root().toString());
        variables.put("GIT_OBJECT_DIRECTORY", place.common().resolve("objects").toString());
        variables.put("GIT_INDEX_FILE", place.own().resolve("index").toString());
        variables.put("GIT_CONFIG_NOSYSTEM", "1");
        variables.put("GIT_CONFIG_GLOBAL", "/dev/null"); // taken by value, like the repository's
        String nowhere = folder.resolve("home").toString(); // for git before 2.32
        variables.put("HOME", nowhere);
        variables.put("XDG_CONFIG_HOME", nowhere);
    }

    /** Of the repository that a folder is in. */
    public static PrivateGitFolder around(Git git, Path inside) throws IOException {
        return of(git, git.place(inside));
    }

    /**
     * Of a repository whose place is known.
     *
     * @throws IOException if its settings or its HEAD cannot be read
     */
    public static PrivateGitFolder of(Git git, GitPlace place) throws IOException {
        Map<String, String> real = real(place);
        String listed =
                git.ask(new Git.Asking(place.root(), real), List.of("config", "-z", "--list"))
                        .required("git cannot read its settings");
        GitSettings settings = GitSettings.of(listed);
        settings.resolveUserFiles(
                git.runner().environment().get("HOME"),
                git.runner().environment().get("XDG_CONFIG_HOME"));
        if (settings.hasTables() && place.isLinked()) {
            throw new IOException(
                    place.root() + " is a linked work tree whose branches are kept in tables");
        }
        return made(git, place, settings);
    }

    /** Only to read objects by their names, of so many letters. */
    static PrivateGitFolder forObjects(Git git, GitPlace place, int letters) throws IOException {
        return made(git, place, GitSettings.forObjects(letters));
    }

    private static PrivateGitFolder made(Git git, GitPlace place, GitSettings settings)
            throws IOException {
        PrivateGitFolder made =
                new PrivateGitFolder(
                        git, place, newFolder(git, place.root()), settings.hasTables());
        try {
            made.fill(settings);
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /**
     * In this program's own folder, which no sandboxed command can write to: one of temporary files
     * the user may have given to commands. Only where that cannot be made it is a temporary one,
     * and none that commands write to as a part of the work tree.
     */
    private static Path newFolder(Git git, Path root) throws IOException {
        String home = git.runner().environment().get("HOME");
        String state = git.runner().environment().get("XDG_STATE_HOME");
        Path own = Path.of(state.startsWith("/") ? state : home + "/.local/state", "agent", "git");
        boolean known =
                state.startsWith("/") || home.startsWith("/") && Files.isDirectory(Path.of(home));
        if (known && !own.startsWith(root)) {
            try {
                Files.createDirectories(own, OWNER);
                removeLeft(own);
                return newFolder(own.toRealPath());
            } catch (IOException e) {
                // a home that nobody can write to, as on some build servers
            }
        }
        for (String parent : List.of(System.getProperty("java.io.tmpdir"), "/var/tmp", "/tmp")) {
            Path real = Path.of(parent).toRealPath();
            if (!real.startsWith(root)) {
                return newFolder(real);
            }
        }
        throw new IOException("there is no temporary folder outside of " + root);
    }

    /** A name of its own without random numbers: those cost a new JVM 20 ms. */
    private static Path newFolder(Path parent) throws IOException {
        long pid = ProcessHandle.current().pid();
        while (true) {
            String name = NAME + pid + "-" + Long.toHexString(System.nanoTime());
            if (!Files.exists(parent.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                return Files.createDirectory(parent.resolve(name), OWNER);
            }
        }
    }

    /** What killed programs have left; in a shared home, other machines have other processes. */
    private static void removeLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path folder : all) {
                String[] parts = folder.getFileName().toString().split("-");
                boolean ours = parts.length == 4 && parts[2].matches("\\d{1,10}");
                Instant made =
                        Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
                if (ours
                        && made.isBefore(Instant.now().minus(KEPT))
                        && ProcessHandle.of(Long.parseLong(parts[2])).isEmpty()) {
                    remove(folder);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void fill(GitSettings settings) throws IOException {
        Path common = place.common();
        Files.writeString(folder.resolve("config"), settings.file());
        writeHead(head());
        if (Files.isDirectory(common.resolve("refs"))) {
            link("refs", common.resolve("refs"));
        } else {
            Files.createDirectory(folder.resolve("refs"));
        }
        link("packed-refs", common.resolve("packed-refs"));
        link("shallow", common.resolve("shallow"));
        if (settings.hasTables()) {
            link("reftable", common.resolve("reftable"));
        }
        Files.createDirectory(folder.resolve("info"));
        link("info/exclude", common.resolve("info/exclude"));
        link("info/attributes", common.resolve("info/attributes"));
        link("info/sparse-checkout", place.own().resolve("info/sparse-checkout"));
        try (DirectoryStream<Path> shared =
                Files.newDirectoryStream(place.own(), "sharedindex.*")) { // of a split index
            for (Path file : shared) {
                link(String.valueOf(file.getFileName()), file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void link(String name, Path target) throws IOException {
        if (Files.exists(target)) {
            Files.createSymbolicLink(folder.resolve(name), target.toRealPath());
        }
    }

    /** What HEAD says: a commit, or a branch. A link is not followed. */
    public String head() {
        Path file = place.own().resolve("HEAD");
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) <= MOST_OF_HEAD) {
                return Files.readString(file, StandardCharsets.UTF_8).strip();
            }
        } catch (IOException e) {
            return DETACHED_FROM_NOTHING.strip();
        }
        return DETACHED_FROM_NOTHING.strip();
    }

    /** Sets what HEAD says here; the repository's stays as it is. */
    public void writeHead(String says) throws IOException {
        Files.writeString(folder.resolve("HEAD"), says + "\n");
    }

    /** From here on with an index of this folder: a copy of what the repository's is now. */
    public Path ownIndex() throws IOException {
        Path index = folder.resolve("index");
        Path theirs = place.own().resolve("index");
        if (Files.isRegularFile(theirs, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(
                    theirs, index, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.REPLACE_EXISTING);
        }
        variables.put("GIT_INDEX_FILE", index.toString());
        return index;
    }

    /** From here on the objects that git makes are kept in this folder; it reads the others. */
    NewObjects ownObjects() throws IOException {
        Path theirs = place.common().resolve("objects");
        Path own = folder.resolve("objects");
        if (!Files.exists(own)) {
            Files.createDirectory(own);
            String quoted = theirs.toString().replace("\\", "\\\\").replace("\"", "\\\"");
            variables.put("GIT_OBJECT_DIRECTORY", own.toString());
            variables.put("GIT_ALTERNATE_OBJECT_DIRECTORIES", '"' + quoted + '"');
        }
        return new NewObjects(this, own, theirs);
    }

    /** Whether branches are kept in tables instead of files. */
    public boolean hasTables() {
        return tables;
    }

    /** The repository for which this folder stands in. */
    public GitPlace place() {
        return place;
    }

    /** The path of a file in this folder; it need not exist. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Asks at the root of the work tree. */
    public Git.Answer ask(List<String> words) throws IOException {
        return ask(place.root(), words);
    }

    /** Asks in a folder of the work tree. */
    public Git.Answer ask(Path inside, List<String> words) throws IOException {
        return git.ask(new Git.Asking(inside, variables), words);
    }

    /** Asks with a file as input and another one for what it says, as bytes. */
    public Git.Answer ask(Path input, Path output, List<String> words) throws IOException {
        return git.ask(new Git.Asking(place.root(), variables, input, output), words);
    }

    /**
     * For {@code worktree add --no-checkout} and {@code worktree remove --force}, which need the
     * repository itself. They read its settings, run none, and touch no file through a filter.
     */
    public Git.Answer askRepository(List<String> words) throws IOException {
        return git.ask(new Git.Asking(place.root(), real(place)), words);
    }

    private static Map<String, String> real(GitPlace place) {
        return Map.of(
                "GIT_DIR", place.own().toString(),
                "GIT_COMMON_DIR", place.common().toString(),
                "GIT_WORK_TREE", place.root().toString());
    }

    @Override
    public void close() {
        remove(folder);
    }

    /** Links are removed, never followed. */
    private static void remove(Path path) {
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> inside = Files.newDirectoryStream(path)) {
                    inside.forEach(PrivateGitFolder::remove);
                }
            }
            Files.delete(path);
        } catch (IOException | DirectoryIteratorException e) {
            path.toFile().deleteOnExit(); // a private folder of links, in that of temporary files
        }
    }
}
