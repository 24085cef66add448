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

    /** Settings whose value is a program, or a file with more settings; after git-config(1). */
    private static final Set<String> KEYS =
            Set.of(
                    "askpass",
                    "attributesfile",
                    "clean",
                    "cmd",
                    "command",
                    "driver",
                    "editor",
                    "external",
                    "fsmonitor",
                    "gitproxy",
                    "helper",
                    "hookspath",
                    "pager",
                    "path",
                    "process",
                    "program",
                    "receivepack",
                    "sendmailcmd",
                    "smudge",
                    "sshcommand",
                    "sshvariant",
                    "textconv",
                    "tool",
                    "uploadpack",
                    "vcs");

    private static final Set<String> SECTIONS = Set.of("alias", "pager", "include", "includeif");

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

    /** Lines of a configuration file that may start something, each with its section. */
    static List<String> settingsIn(Path config) {
        List<String> found = new ArrayList<>();
        if (!Files.isRegularFile(config, LinkOption.NOFOLLOW_LINKS)) {
            return found;
        }
        String section = "";
        for (String line : text(config, MAX_CONFIG).split("\n")) {
            String setting = line.strip();
            if (setting.startsWith("[")) {
                int end = setting.indexOf(']');
                section = setting.substring(1, end < 0 ? setting.length() : end);
                setting = end < 0 ? "" : setting.substring(end + 1).strip();
            }
            if (!setting.isEmpty() && isTrap(section, setting)) {
                found.add("[" + section + "] " + setting);
            }
        }
        return found;
    }

    private static boolean isTrap(String section, String setting) {
        String first = section.strip().split("[\\s.\"]", 2)[0].toLowerCase(Locale.ROOT);
        String key = setting.split("[\\s=]", 2)[0].toLowerCase(Locale.ROOT);
        return SECTIONS.contains(first) || KEYS.contains(key);
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
