package dev.agentloop.sandbox.git.settings;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The files in which git finds settings that count for all repositories of a user. */
public final class UserSettings {
    private static final List<Path> OF_SYSTEM =
            List.of(
                    Path.of("/etc/gitconfig"),
                    Path.of("/usr/local/etc/gitconfig"),
                    Path.of("/opt/homebrew/etc/gitconfig"));

    private UserSettings() {}

    /**
     * All that may be read: the user's next git may have another environment than this program.
     *
     * @param home of the user
     * @param environment of this program
     */
    public static List<Path> of(Path home, Map<String, String> environment) {
        Set<Path> files = new LinkedHashSet<>();
        files.add(home.resolve(".gitconfig"));
        files.add(home.resolve(".config/git/config"));
        String configs = environment.getOrDefault("XDG_CONFIG_HOME", "");
        if (configs.startsWith("/")) {
            files.add(Path.of(configs).resolve("git/config"));
        }
        for (String name : List.of("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")) {
            String file = environment.getOrDefault(name, "");
            if (file.startsWith("/")) {
                files.add(Path.of(file));
            }
        }
        files.addAll(OF_SYSTEM);
        return List.copyOf(files);
    }
}
