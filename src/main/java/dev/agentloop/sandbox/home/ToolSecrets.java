package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Credentials in the folders of tools that builds read: files whose names say so, backups, and
 * settings that hold a password or token. Looked for at the top of each folder; deeper, where
 * {@code credentials.txt} says that settings are.
 */
final class ToolSecrets {
    private static final List<String> DEEPER = NameFile.CREDENTIALS.section("settings");

    /**
     * Files about which {@link Settings} or the list of credentials decides by rules of its own.
     */
    private static final Set<String> JUDGED =
            Set.of("settings.xml", "gradle.properties", ".gitconfig", ".pypirc", "pip.conf");

    /** Names of files with credentials, and of what a person has typed. */
    private static final Pattern SECRET =
            Pattern.compile(
                    "\\.?credentials?([._-].*)?|(.*[._-])?secring\\..*|.*[._-]?history"
                            + "|\\.?(.*[._-])?(secrets?|tokens?|passw(or)?ds?|auth|credentials?)"
                            + "(\\.(json|toml|ya?ml|properties|xml|txt|gpg|asc|db|ini))?"
                            + "|.*\\.(pfx|p12|kdbx|ppk)|id_(rsa|dsa|ecdsa|ed25519)"
                            + "|(?!debug\\.|.*(trust|cacerts)).*\\.(jks|keystore)");

    /** Copies that editors, people and updates leave beside a file. */
    private static final Pattern BACKUP =
            Pattern.compile(".+(\\.(bak|old|orig|save|backup|sw[op])|~|\\.bak[._-].*)");

    private static final Pattern SETTINGS =
            Pattern.compile(
                    "\\.?[^.]*rc|config|env|settings"
                            + "|.*\\.(toml|ya?ml|json|properties|xml|ini|cfg|conf|config|lua|pm|sbt"
                            + "|gradle|kts|env|clj|edn|pem|key|asc)");

    /** In {@code .cache}: what was copied, typed, read and visited. */
    private static final Pattern PRIVATE =
            Pattern.compile(
                    ".*(history|clip(board|hist|menu|man)|copyq|gpaste|mail|evolution|geary"
                            + "|thunderbird|keyring|wallet|password|credential|browser|firefox"
                            + "|librewolf|opera|vivaldi|epiphany|telegram|signal|slack|discord"
                            + "|whatsapp|joplin|tracker3?|recoll).*|zsh|bash|fish|mutt|aerc");

    /** In a folder of {@code .cache}. */
    private static final Pattern PRIVATE_OF_TOOL =
            Pattern.compile(
                    ".*[._-]?history(\\.\\w+)?|(.*[._-])?(auth|credentials?|secrets?|tokens?)"
                            + "(\\.\\w+)?");

    private static final Stamped<List<String>> NAMES = new Stamped<>(ToolSecrets::list);
    private static final Stamped<Found> TOPS = new Stamped<>(ToolSecrets::top);
    private static final Stamped<Boolean> HOLDS = new Stamped<>(Settings::holdsToken);
    private static final Stamped<List<Path>> IN_CACHE =
            new Stamped<>(folder -> matching(folder, PRIVATE_OF_TOOL));
    private static final Stamped<List<Path>> CACHES =
            new Stamped<>(folder -> matching(folder, PRIVATE));

    private ToolSecrets() {}

    /** The files directly in the folder of a tool that may hold a credential. */
    private record Found(List<Path> secrets, List<Path> settings) {}

    /**
     * Those there are.
     *
     * @param tools what builds read
     */
    static Set<Path> of(Path home, List<Path> tools) {
        Set<Path> found = new LinkedHashSet<>();
        for (Path tool : new LinkedHashSet<>(tools)) {
            boolean programs = tool.endsWith("bin") || tool.endsWith("shims");
            if (tool.startsWith(home) && !tool.equals(home) && !programs) {
                TOPS.of(tool, true)
                        .ifPresent(top -> {
                            found.addAll(top.secrets());
                            top.settings().forEach(file -> addIfItHolds(file, found));
                        });
            }
        }
        for (String pattern : DEEPER) {
            expand(home, pattern.split("/"), 0, found);
        }
        Path caches = home.resolve(".cache");
        CACHES.of(caches, true).ifPresent(found::addAll);
        for (String name : NAMES.of(caches, true).orElse(List.of())) {
            IN_CACHE.of(caches.resolve(name), true).ifPresent(found::addAll);
        }
        return found;
    }

    private static void addIfItHolds(Path file, Set<Path> found) {
        if (HOLDS.of(file, false).orElse(false)) {
            found.add(file);
        }
    }

    private static Found top(Path folder) throws IOException {
        List<Path> secrets = new ArrayList<>();
        List<Path> settings = new ArrayList<>();
        for (String name : list(folder)) {
            Path path = folder.resolve(name);
            String lower = name.toLowerCase(Locale.ROOT);
            if (name.equals(".git")) {
                settings.add(path.resolve("config"));
            } else if (SECRET.matcher(lower).matches() || BACKUP.matcher(lower).matches()) {
                if (!Files.isDirectory(path)) {
                    secrets.add(path);
                }
            } else if (SETTINGS.matcher(lower).matches() && !JUDGED.contains(name)) {
                settings.add(path);
            }
        }
        return new Found(secrets, settings);
    }

    /** One name after the other; a star stands for any beginning of one. */
    private static void expand(Path folder, String[] names, int next, Set<Path> found) {
        if (next == names.length) {
            addIfItHolds(folder, found);
        } else if (!names[next].startsWith("*")) {
            expand(folder.resolve(names[next]), names, next + 1, found);
        } else {
            String end = names[next].substring(1);
            for (String name : NAMES.of(folder, true).orElse(List.of())) {
                if (name.endsWith(end)) {
                    expand(folder.resolve(name), names, next + 1, found);
                }
            }
        }
    }

    private static List<Path> matching(Path folder, Pattern names) throws IOException {
        return list(folder).stream()
                .filter(name -> names.matcher(name.toLowerCase(Locale.ROOT)).matches())
                .map(folder::resolve)
                .toList();
    }

    /** A listing that fails, for want of descriptors perhaps, is no empty folder. */
    private static List<String> list(Path folder) throws IOException {
        String[] names = folder.toFile().list();
        if (names == null) {
            throw new IOException(folder + " cannot be listed");
        }
        return List.of(names);
    }
}
