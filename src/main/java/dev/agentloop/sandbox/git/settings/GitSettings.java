package dev.agentloop.sandbox.git.settings;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.settings.ConfigText.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the settings of a repository make git run, and where they lead it. */
public final class GitSettings {
    private static final int MOST_INCLUDED = 50;

    /** Settings that start nothing, whatever their value is; {@code section.*} for all of one. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "advice.*",
                    "branch.description",
                    "branch.merge",
                    "branch.pushremote",
                    "branch.rebase",
                    "branch.remote",
                    "branch.vscode-merge-base",
                    "color.*",
                    "core.abbrev",
                    "core.autocrlf",
                    "core.bare",
                    "core.eol",
                    "core.filemode",
                    "core.ignorecase",
                    "core.logallrefupdates",
                    "core.precomposeunicode",
                    "core.quotepath",
                    "core.repositoryformatversion",
                    "core.safecrlf",
                    "core.sharedrepository",
                    "core.sparsecheckout",
                    "core.sparsecheckoutcone",
                    "core.symlinks",
                    "core.untrackedcache",
                    "extensions.objectformat",
                    "extensions.worktreeconfig",
                    "fetch.prune",
                    "gc.auto",
                    "index.skiphash",
                    "index.sparse",
                    "index.version",
                    "init.defaultbranch",
                    "merge.conflictstyle",
                    "merge.ff",
                    "pull.ff",
                    "pull.rebase",
                    "push.autosetupremote",
                    "push.default",
                    "rebase.autosquash",
                    "rebase.autostash",
                    "remote.fetch",
                    "remote.mirror",
                    "remote.prune",
                    "remote.push",
                    "remote.pushdefault",
                    "remote.tagopt",
                    "rerere.enabled",
                    "submodule.active",
                    "submodule.branch",
                    "submodule.ignore",
                    "submodule.recurse",
                    "user.email",
                    "user.name");

    private static final Set<String> ADDRESSES =
            Set.of("remote.url", "remote.pushurl", "submodule.url");

    /** Start nothing, but decide where work goes and where it comes from. */
    private static final Set<String> REMOTES =
            Set.of(
                    "branch.pushremote",
                    "remote.fetch",
                    "remote.mirror",
                    "remote.push",
                    "remote.pushdefault",
                    "remote.pushurl",
                    "remote.url",
                    "submodule.url");

    /** What of an address may be a password: before the host, and behind a question mark. */
    private static final Pattern LOGIN = Pattern.compile("(?<=//)[^/]*@|\\?.*");

    private static final Pattern PLACE = Pattern.compile(".*[/:].*|\\.+");
    private static final Set<String> SWITCHES =
            Set.of("commit.gpgsign", "tag.gpgsign", "core.fsmonitor");
    static final Set<String> UPDATES = Set.of("checkout", "rebase", "merge", "none");

    /** Of a file that is not read. */
    public static final GitSettings NONE = new GitSettings(Path.of("config"), List.of(), true);

    private final Path file;
    private final List<Setting> settings;
    private final boolean readable;

    private GitSettings(Path file, List<Setting> settings, boolean readable) {
        this.file = file;
        this.settings = settings;
        this.readable = readable;
    }

    /** Of nothing if there is no such file, or none that can be read for certain. */
    public static GitSettings of(Path file) {
        Optional<byte[]> bytes = GitFiles.bytes(file, GitFiles.MOST_SETTINGS);
        Optional<List<Setting>> settings = bytes.flatMap(ConfigText::read);
        return new GitSettings(
                file, settings.orElse(List.of()), settings.isPresent() || !GitFiles.isThere(file));
    }

    /**
     * Of what a file held at some moment.
     *
     * @param file whose folder is where relative paths begin
     */
    public static GitSettings of(Path file, byte[] bytes) {
        Optional<List<Setting>> settings = ConfigText.read(bytes);
        return new GitSettings(file, settings.orElse(List.of()), settings.isPresent());
    }

    /**
     * The folder of hooks that the settings name, as a person or the settings that they include set
     * it; empty if they name none.
     *
     * @param home where paths that begin with a tilde begin
     * @param worktree where others begin
     */
    public static Optional<Path> hooksFolder(List<Path> files, Path home, Path worktree) {
        Optional<Path> folder = Optional.empty();
        for (Path file : withIncluded(files, home)) {
            for (Path hooks : GitSettings.of(file).hooks(home, worktree)) {
                folder = Optional.of(hooks);
            }
        }
        return folder;
    }

    /** The files themselves and those that they include, whatever the condition for it is. */
    public static Set<Path> withIncluded(List<Path> files, Path home) {
        Set<Path> all = new LinkedHashSet<>();
        Deque<Path> open = new ArrayDeque<>(files);
        while (!open.isEmpty() && all.size() < MOST_INCLUDED) {
            Path file = open.removeFirst();
            if (all.add(file)) {
                open.addAll(GitSettings.of(file).included(home));
            }
        }
        return all;
    }

    /** Where fetch and push go: values by the name of the setting, logins left out. */
    public Map<String, String> remotes() {
        Map<String, String> remotes = new TreeMap<>();
        for (Setting setting : settings) {
            boolean place = // not a name of a remote, as each branch that follows another has it
                    setting.name().equals("branch.remote")
                            && PLACE.matcher(setting.value()).matches();
            if (place || REMOTES.contains(setting.name())) {
                String value = LOGIN.matcher(setting.value()).replaceAll("");
                remotes.merge(setting.fullName(), value, (one, other) -> one + " " + other);
            }
        }
        return remotes;
    }

    /** Files that belong to the settings. */
    public List<Path> included(Path home) {
        List<Path> files = new ArrayList<>();
        for (Setting setting : settings) {
            boolean include = setting.section().startsWith("include") && isKey(setting, "path");
            if (include) {
                path(setting.value(), home, file.resolveSibling("")).ifPresent(files::add);
            }
        }
        return files;
    }

    /** Folders that they name for hooks. */
    public List<Path> hooks(Path home, Path worktree) {
        List<Path> folders = new ArrayList<>();
        for (Setting setting : settings) {
            if (setting.name().equals("core.hookspath")) {
                path(setting.value(), home, worktree).ifPresent(folders::add);
            }
        }
        return folders;
    }

    /**
     * What may start something, one sentence each; the same for the same setting, so that what is
     * new can be told from what was there.
     *
     * @param workspace in which a working tree may lie
     */
    public List<String> dangers(Path workspace) {
        if (!readable) {
            return List.of("cannot be read for certain " + GitFiles.digest(file));
        }
        List<String> dangers = new ArrayList<>();
        for (Setting setting : settings) {
            if (!isHarmless(setting, workspace)) {
                dangers.add("sets " + setting.name() + " " + GitFiles.digest(setting.toString()));
            }
        }
        return dangers;
    }

    private boolean isHarmless(Setting setting, Path workspace) {
        String name = setting.name();
        String value = setting.value();
        String lower = value.toLowerCase(Locale.ROOT);
        if (ADDRESSES.contains(name)) {
            return isPlainAddress(value);
        }
        if (SWITCHES.contains(name)) {
            return lower.equals("false") || lower.equals("true") && isKey(setting, "fsmonitor");
        }
        return switch (name) {
            case "submodule.update" -> UPDATES.contains(value);
            case "core.worktree" -> isWorkingTree(value, workspace);
            default -> HARMLESS.contains(name) || HARMLESS.contains(setting.section() + ".*");
        };
    }

    /** Whether it is fetched from, not run. */
    static boolean isPlainAddress(String value) {
        return !value.contains("::") && !value.startsWith("-");
    }

    /**
     * Whether git writes only there what is no part of a repository: neither to hooks or settings,
     * nor to a folder in which this repository itself lies under another name than {@code .git}.
     */
    private boolean isWorkingTree(String value, Path workspace) {
        Path store = GitFiles.real(file.resolveSibling("."));
        Path tree = workingTree(value);
        return store != null
                && tree != null
                && GitFiles.isStore(store)
                && tree.startsWith(workspace)
                && !GitFiles.isWithin(store, tree)
                && !GitFiles.isInStore(tree, workspace);
    }

    /** Of one that is gone, or not there yet, the folder in which it would be; null if none. */
    private @Nullable Path workingTree(String value) {
        try {
            Path at = file.resolveSibling(value);
            while (at != null && !value.isEmpty()) {
                if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                    return at.toRealPath(); // a link to nowhere is an error
                }
                Path name = at.getFileName();
                at = name == null || name.toString().equals("..") ? null : at.getParent();
            }
            return null;
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isKey(Setting setting, String key) {
        return setting.key().equals(key);
    }

    private static Optional<Path> path(String value, Path home, Path folder) {
        try {
            return value.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            value.startsWith("~/")
                                    ? home.resolve(value.substring(2))
                                    : folder.resolve(value));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
