package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What in a repository makes git run a program of somebody's choice. */
final class GitTraps {
    private static final int MAX_CONFIG = 256 * 1024; // bytes
    private static final int MAX_POINTER = 4096;

    /** Files of a repository that decide what git runs, or where it looks for the rest. */
    static final List<String> FILES = List.of("config", "config.worktree", "commondir");

    /** Settings that start nothing, whatever their value is; all others may. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "core.repositoryformatversion",
                    "core.filemode",
                    "core.bare",
                    "core.logallrefupdates",
                    "core.ignorecase",
                    "core.precomposeunicode",
                    "core.symlinks",
                    "core.autocrlf",
                    "core.eol",
                    "core.safecrlf",
                    "user.name",
                    "user.email",
                    "branch.remote",
                    "branch.merge",
                    "branch.rebase",
                    "remote.fetch",
                    "remote.pushurl",
                    "remote.url",
                    "submodule.active",
                    "submodule.url",
                    "init.defaultbranch",
                    "pull.rebase",
                    "push.default",
                    "merge.ff");

    private GitTraps() {}

    /** Files in a folder of hooks that git, or husky, would run. */
    static List<Path> hooksIn(Path folder) {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!name.endsWith(".sample") && Files.isRegularFile(entry)) {
                    found.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        return found;
    }

    /** All lines of a repository's files that may start something, as told to a person. */
    static List<String> settingsOf(Path store) {
        List<String> found = new ArrayList<>();
        for (String name : FILES) {
            Path file = store.resolve(name);
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            if (name.equals("commondir")) {
                if (!isUsual(file)) {
                    found.add("leads git to another folder");
                }
            } else if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || file.toFile().length() > MAX_CONFIG) {
                found.add("cannot be looked through");
            } else {
                found.addAll(settingsIn(file));
            }
        }
        return found;
    }

    /** As {@code git worktree add} writes it. */
    private static boolean isUsual(Path commondir) {
        Path parts = commondir.getParent() == null ? null : commondir.getParent().getParent();
        return parts != null
                && parts.endsWith("worktrees")
                && text(commondir, MAX_POINTER).strip().equals("../..");
    }

    private static List<String> settingsIn(Path config) {
        List<String> found = new ArrayList<>();
        String section = "";
        for (String line : text(config, MAX_CONFIG).split("\n")) {
            String setting = line.strip();
            while (setting.startsWith("[")) {
                int end = setting.indexOf(']');
                section = setting.substring(1, end < 0 ? setting.length() : end);
                setting = end < 0 ? "" : setting.substring(end + 1).strip();
            }
            boolean comment = setting.startsWith("#") || setting.startsWith(";");
            if (!setting.isEmpty() && !comment && !isHarmless(section, setting)) {
                found.add("sets [" + section + "] " + setting);
            }
        }
        return found;
    }

    private static boolean isHarmless(String section, String setting) {
        String first = section.strip().split("[\\s.\"]", 2)[0].toLowerCase(Locale.ROOT);
        String[] parts = setting.split("\\s*=\\s*", 2);
        String key = parts[0].strip().toLowerCase(Locale.ROOT);
        String value = parts.length < 2 ? "" : parts[1];
        boolean address = key.equals("url") || key.equals("pushurl");
        return HARMLESS.contains(first + "." + key)
                && !value.endsWith("\\") // goes on in the next line
                && (!address || !value.contains("::"));
    }

    /** The folder that a {@code .git} stands for; itself unless it is a file that points there. */
    static Path storeOf(Path git) {
        if (!Files.isRegularFile(git)) {
            return git;
        }
        String said = text(git, MAX_POINTER).strip();
        try {
            return said.startsWith("gitdir: ")
                    ? git.resolveSibling(said.substring("gitdir: ".length())).normalize()
                    : git;
        } catch (IllegalArgumentException e) {
            return git;
        }
    }

    private static String text(Path file, int most) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(most), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
