package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.FolderReader;
import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.WritableRoots;
import dev.agentloop.sandbox.git.settings.GitSettings;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The files of repositories that make git run something, each with what it does, in sentences. */
final class Dangers {
    static final String ALTERNATES = "alternates";

    private static final List<String> CONFIGS = List.of("config", "config.worktree");
    private static final List<String> ALTERNATE_FILES =
            List.of("objects/info/alternates", "objects/info/http-alternates");
    private static final int MOST_INCLUDED = 100; // git goes down ten levels
    private static final List<String> OBJECTS = List.of("objects", "objects/pack", "objects/info");
    private static final Pattern PUT_AWAY = Pattern.compile("(?s).*\\.quarantined(\\.\\d+)?");

    private final Path workspace;
    private final Path home;
    private final WritableRoots reach;
    private final FolderReader folders;
    private Map<Judged, KnownFile> known = new HashMap<>();
    private Map<Judged, KnownFile> seen = new HashMap<>();
    private Map<Path, List<String>> found = new LinkedHashMap<>();
    private Map<Path, Map<String, String>> remotes = new LinkedHashMap<>();
    private Set<Path> looked = new HashSet<>();
    private ReadBudget budget = new ReadBudget();
    private ReadBudget indexes = ReadBudget.ofIndexes();

    Dangers(Path workspace, Path home, WritableRoots reach, FolderReader folders) {
        this.workspace = workspace;
        this.folders = folders;
        this.reach = reach;
        this.home = home;
    }

    private record Judged(Path file, GitFileKind kind) {}

    /** Begins a look; what the last one has read is read again only if it has changed. */
    void begin() {
        known = seen;
        seen = new HashMap<>();
        found = new LinkedHashMap<>();
        remotes = new LinkedHashMap<>();
        looked = new HashSet<>();
        budget = new ReadBudget();
        indexes = ReadBudget.ofIndexes();
    }

    /** Whether there was more to read than one look reads. */
    boolean isCut() {
        return budget.isSpent() || indexes.isSpent();
    }

    /** By file; the last look's. */
    Map<Path, List<String>> found() {
        return found;
    }

    /** Where the repositories of the last look fetch from and push to, by file and setting. */
    Map<Path, Map<String, String>> remotes() {
        return remotes;
    }

    /**
     * Looks at a repository.
     *
     * @param base from which it names folders of hooks
     * @param covered whether its hooks, settings and attributes are protected by mounts
     */
    void store(Path store, Path base, boolean covered) {
        if (!looked.add(store)) {
            return;
        }
        for (String name : CONFIGS) {
            settings(store.resolve(name), base, covered);
        }
        if (!covered) {
            hooks(store.resolve("hooks"), base);
            check(store.resolve("info/attributes"), GitFileKind.ATTRIBUTES);
        }
        check(store.resolve("commondir"), GitFileKind.COMMONDIR);
        check(store.resolve("info/grafts"), GitFileKind.GRAFTS);
        alternates(store);
        unfinished(store);
        index(store);
        resolutions(store.resolve("MERGE_RR"), base);
        tree(store);
        References.files(store, indexes).forEach(file -> check(file, GitFileKind.REFERENCE));
        for (String folder : List.of("remotes", "branches")) {
            for (Path remote : entries(store.resolve(folder))) {
                check(remote, GitFileKind.REMOTE);
            }
        }
    }

    /**
     * Settings of the user that include files of the workspace, or take hooks from there.
     *
     * @param bases from which they name folders of hooks
     */
    void outside(Path config, Collection<Path> bases) {
        if (looked.add(config) && GitFiles.isThere(config)) {
            included(config, bases);
        }
    }

    /**
     * A link among the files of a repository, which git writes, renames and deletes by itself: that
     * would happen to what it leads to, be it somewhere else or the settings and hooks right there.
     * Hooks are only read, and judged as such.
     */
    void link(Path link, Path store) {
        Path destination = WritableRoots.destination(link);
        boolean plain = // as git made HEAD and references once
                destination.startsWith(store.resolve("refs"))
                        || destination.startsWith(store.resolve("objects"));
        if (!link.startsWith(store.resolve("hooks")) && !plain) {
            String out = destination.startsWith(store) ? "" : "out of the repository, ";
            List<String> said = List.of("leads git " + out + "to " + WritableRoots.said(link));
            found.merge(link, said, Dangers::both);
        }
    }

    /** A repository of which commands can write the objects only. */
    void readOnly(Path store, Path base) {
        outside(store.resolve("config"), List.of(base));
        alternates(store);
    }

    static boolean isSettings(Path file) {
        return CONFIGS.contains(file.getFileName().toString());
    }

    /** A folder of hooks, whoever is said to run them. */
    void hooks(Path folder, Path base) {
        boolean own = folder.endsWith("hooks") || folder.endsWith(".husky");
        Path real = GitFiles.real(folder);
        boolean narrow =
                !own && (real == null || workspace.startsWith(real) || folder.equals(base));
        List<Path> hooks = new ArrayList<>(entries(folder));
        if (budget.isSpent()) { // then at least those that git itself runs
            HookNames.ALL.forEach(name -> hooks.add(folder.resolve(name)));
        }
        for (Path hook : hooks) {
            String name = hook.getFileName().toString();
            boolean runs = narrow ? HookNames.ALL.contains(name) : !name.endsWith(".sample");
            if (runs && !Files.isDirectory(hook)) {
                check(hook, GitFileKind.HOOK);
            }
        }
    }

    /** A file {@code .git} that leads where commands, or others, can make what they like. */
    void pointer(Path git, String where) {
        add(git, List.of("leads git " + where));
    }

    private void settings(Path config, Path base, boolean covered) {
        if (!GitFiles.isThere(config) || !looked.add(config) || leadsOut(config)) {
            return;
        }
        KnownFile read = known(config);
        if (!covered) {
            judge(config, read);
        }
        included(config, List.of(base));
    }

    /**
     * One file after the other: each may include others, as many as a command likes. Those that lie
     * elsewhere are the user's, and are read for what they include and for hooks.
     */
    private void included(Path config, Collection<Path> bases) {
        Deque<Path> open = new ArrayDeque<>(List.of(config));
        Set<Path> read = new HashSet<>(open);
        for (int files = 0; !open.isEmpty() && files < MOST_INCLUDED; files++) {
            GitSettings settings = known(open.removeFirst()).settings();
            for (Path file : settings.included(home)) {
                boolean ours = isOpen(file);
                Path at = ours ? inside(file) : file;
                if (GitFiles.isThere(at) && !(ours && leadsOut(at)) && read.add(at)) {
                    open.add(at);
                    if (ours) {
                        judge(at, known(at));
                    }
                }
            }
            bases.forEach(base -> hooksOf(settings, base));
        }
        open.forEach(file -> add(file, List.of("is one of too many files that settings include")));
    }

    private void hooksOf(GitSettings settings, Path base) {
        for (Path folder : settings.hooks(home, base)) {
            if (isOpen(folder)) {
                hooks(inside(folder), base);
            }
        }
    }

    /** A link of the user's own may lead in here: it stays, what it leads to is the command's. */
    private Path inside(Path file) {
        Path parent = file.getParent();
        Path real = parent == null || reach.holds(parent) ? null : GitFiles.real(file);
        return real == null ? file : real;
    }

    /** What lies elsewhere is neither read nor renamed: the link to it is what a command made. */
    private boolean leadsOut(Path file) {
        if (reach.holds(file)) {
            return false;
        }
        Path link = reach.wayOut(file);
        if (link != null) {
            add(link, List.of("leads git out of the workspace, to " + WritableRoots.said(link)));
        }
        return true;
    }

    private List<Path> entries(Path folder) {
        return GitFiles.isThere(folder) && !leadsOut(folder)
                ? folders.entries(
                        folder, file -> file.toString().endsWith(".sample") || budget.entry())
                : List.of();
    }

    /** Whether commands can write it: elsewhere only its owner can. */
    private boolean isOpen(Path path) {
        Path real = GitFiles.real(path);
        Path parent = path.getParent();
        Path at = real != null || parent == null ? real : GitFiles.real(parent);
        return at != null && at.startsWith(workspace);
    }

    private void alternates(Path store) {
        for (String name : OBJECTS) {
            if (GitFiles.isThere(store.resolve(name)) && leadsOut(store.resolve(name))) {
                return;
            }
        }
        for (String name : ALTERNATE_FILES) {
            check(store.resolve(name), GitFileKind.ALTERNATES);
        }
    }

    private void unfinished(Path store) {
        Path rebase = store.resolve("rebase-merge");
        Path sequencer = store.resolve("sequencer");
        if (GitFiles.isThere(rebase)) {
            check(rebase.resolve("git-rebase-todo"), GitFileKind.STEPS);
            check(rebase.resolve("strategy"), GitFileKind.STRATEGY);
        }
        if (GitFiles.isThere(sequencer)) {
            check(sequencer.resolve("todo"), GitFileKind.STEPS);
            check(sequencer.resolve("opts"), GitFileKind.OPTIONS);
        }
    }

    /** A split index keeps most of its names in another file, of the same format. */
    private void index(Path store) {
        Path file = store.resolve("index");
        names(file).forEach(shared -> names(store.resolve(shared)));
    }

    /** Judges one; returns where more names are. */
    private List<String> names(Path file) {
        if (!GitFiles.isThere(file) || leadsOut(file)) {
            return List.of();
        }
        KnownFile read = known(file, GitFileKind.INDEX);
        add(file, read.index().dangers());
        return read.index().shared();
    }

    /**
     * Git copies the files that are named there into the repository, as soon as there is no
     * conflict in them: commands could read them there.
     */
    private void resolutions(Path file, Path base) {
        for (String entry : text(file).split("\0")) {
            String name = entry.substring(entry.indexOf('\t') + 1);
            if (!entry.isEmpty() && !isOurs(name, base)) {
                add(file, List.of("makes git copy a file: " + name));
            }
        }
    }

    /**
     * What {@code git worktree repair} believes: it makes a pointer in the folder that is said to
     * be a working tree of this repository, so that git does there what the settings here say.
     */
    private void tree(Path store) {
        Path file = store.resolve("gitdir");
        Path git = GitFiles.target(file, text(file));
        if (git == null || git.getParent() == null) {
            return;
        }
        boolean known = store.equals(GitFiles.store(git)); // then it is one, made by its owner
        if (!known && Files.isDirectory(git.getParent()) && !reach.holds(git.getParent())) {
            add(file, List.of("says that a folder elsewhere is a working tree: " + git));
        }
    }

    /** Empty if there is none, or none that can be read. */
    private String text(Path file) {
        if (!GitFiles.isThere(file) || leadsOut(file)) {
            return "";
        }
        if (GitFiles.bytes(file, GitFiles.MOST_SETTINGS).isEmpty()) {
            add(file, List.of("cannot be read " + GitFiles.digest(file)));
        }
        return GitFiles.text(file, GitFiles.MOST_SETTINGS);
    }

    private boolean isOurs(String name, Path base) {
        try {
            return !GitIndex.isAstray(name) && reach.holds(base.resolve(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private void check(Path file, GitFileKind kind) {
        if (GitFiles.isThere(file) && !leadsOut(file)) {
            add(file, known(file, kind).dangers());
        }
    }

    private void add(Path file, List<String> dangers) {
        if (!dangers.isEmpty() && !PUT_AWAY.matcher(file.toString()).matches()) {
            found.merge(file, dangers, Dangers::both);
        }
    }

    static List<String> both(List<String> one, List<String> other) {
        Set<String> both = new LinkedHashSet<>(one);
        both.addAll(other);
        return List.copyOf(both);
    }

    private KnownFile known(Path config) {
        return known(config, GitFileKind.SETTINGS);
    }

    private void judge(Path settings, KnownFile read) {
        add(settings, dangers(read));
        if (read.settings() != GitSettings.NONE) { // it was read
            remotes.put(settings, read.settings().remotes());
        }
    }

    /** Judged in each look: where a working tree lies depends on links that other files are. */
    private List<String> dangers(KnownFile config) {
        return both(config.dangers(), config.settings().dangers(workspace));
    }

    private KnownFile known(Path file, GitFileKind kind) {
        GitFiles.Stamp stamp = GitFiles.stamp(file);
        Judged judged = new Judged(file, kind);
        KnownFile before = seen.getOrDefault(judged, known.get(judged));
        if (before == null || stamp.young() || !before.stamp().equals(stamp.text())) {
            String text = stamp.young() ? "young" : stamp.text();
            ReadBudget left = kind.isOftenWritten() ? indexes : budget;
            before =
                    left.read(file)
                            ? KnownFile.read(text, file, kind)
                            : KnownFile.unread(text, stamp, kind);
        }
        seen.put(judged, before);
        return before;
    }
}
