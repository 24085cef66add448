package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Settings that builds read and that may hold a credential: they are shown as long as they hold
 * none.
 */
public final class Settings {
    /** Below the home directory. */
    private static final List<String> FILES =
            List.of(
                    ".bazelrc",
                    ".cargo/config",
                    ".cargo/config.toml",
                    ".cabal/config",
                    ".clojure/deps.edn",
                    ".lein/profiles.clj",
                    ".gradle/init.gradle",
                    ".gradle/init.gradle.kts");

    /**
     * Settings of package managers and others that often hold a token: where a line of them is no
     * setting, it may be one.
     */
    private static final List<String> OF_REGISTRIES =
            List.of(
                    ".condarc",
                    ".gemrc",
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".pip/pip.conf",
                    ".config/pip/pip.conf",
                    ".config/pypoetry/config.toml",
                    ".config/pnpm/rc",
                    ".config/pnpm/config.yaml",
                    ".config/yarn/config",
                    ".config/composer/config.json",
                    ".config/composer/composer.json",
                    ".config/nix/nix.conf",
                    ".config/nix/registry.json",
                    ".config/containers/containers.conf",
                    ".config/containers/policy.json",
                    ".config/containers/registries.conf",
                    ".config/containers/storage.conf",
                    ".config/direnv/direnv.toml",
                    ".config/direnv/direnvrc",
                    ".terraformrc",
                    ".Rprofile");

    private static final List<String> OF_GRADLE = List.of(".gradle/gradle.properties");
    private static final List<String> OF_MAVEN = List.of(".m2/settings.xml");

    /** Each project names its properties as it likes, so less is asked of a name. */
    private static final Pattern PROPERTY =
            Pattern.compile(
                    "(?im)^[^\\s=:]*(pwd|pass|key|cred|auth(?!or)|token|secret|pat(?![a-z]))"
                            + "[^\\s=:]*\\s*[=:]\\s*\\S");

    private static final int LARGEST_OF_TOOL = 256 << 10; // bytes; what is larger is data
    private static final int LONGEST = 1 << 20; // bytes; larger files are no settings

    /** Whether settings of each kind hold a credential. */
    private static final Map<List<String>, Stamped<Boolean>> KINDS =
            Map.of(
                    FILES, judged(text -> Secrets.areInFile(text, false)),
                    OF_REGISTRIES, judged(text -> Secrets.areInFile(text, true)),
                    OF_GRADLE, judged(Settings::isSecretOfGradle),
                    OF_MAVEN, judged(text -> !MavenSettings.areHarmless(text)));

    private Settings() {}

    private static Stamped<Boolean> judged(Predicate<String> isSecret) {
        return new Stamped<>(file -> isSecret.test(text(file)));
    }

    /**
     * Sorts them.
     *
     * @param clean gets those that hold no credential
     * @param others gets the rest
     */
    static void sort(
            Path home, Map<String, String> environment, List<Path> clean, List<Path> others) {
        KINDS.forEach((names, isSecret) -> {
            for (String name : names) {
                for (Path file : places(name, home, environment)) {
                    isSecret.of(file, false)
                            .ifPresent(secret -> (secret ? others : clean).add(file));
                }
            }
        });
    }

    /** Whether small settings of a tool hold a credential; other files are no settings. */
    static boolean holdsToken(Path file) {
        try {
            return Files.size(file) <= LARGEST_OF_TOOL && Secrets.areInTool(text(file));
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isSecretOfGradle(String text) {
        return Secrets.areInFile(text, true) || PROPERTY.matcher(text).find();
    }

    /** In the home, and where a variable says that the folder lies. */
    private static List<Path> places(String name, Path home, Map<String, String> environment) {
        List<Path> places = new ArrayList<>(List.of(home.resolve(name)));
        Credentials.MOVED.forEach((prefix, variable) -> {
            String folder = environment.getOrDefault(variable, "");
            if (name.startsWith(prefix) && folder.startsWith("/")) {
                places.add(Path.of(folder, name.substring(prefix.length())));
            }
        });
        return places;
    }

    /** What cannot be read or is too long counts as if it held a credential. */
    static String text(Path file) {
        try {
            return Files.size(file) > LONGEST
                    ? "password=?"
                    : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "password=?";
        }
    }
}
