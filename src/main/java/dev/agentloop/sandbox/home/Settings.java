package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings that builds read and that may hold a credential: they are shown as long as they hold
 * none.
 */
final class Settings {
    /** Below the home directory. */
    private static final List<String> FILES =
            List.of(
                    ".gitconfig",
                    ".config/git/config",
                    ".config/git/ignore",
                    ".config/git/attributes",
                    ".condarc",
                    ".bazelrc",
                    ".gemrc",
                    ".cargo/config",
                    ".cargo/config.toml",
                    ".cabal/config",
                    ".clojure/deps.edn",
                    ".lein/profiles.clj",
                    ".gradle/init.gradle",
                    ".gradle/init.gradle.kts");

    /** A password in an address, a header, or a name that says so with a value behind it. */
    private static final Pattern CREDENTIAL =
            Pattern.compile(
                    "(?i)extra-?header|://[^/\\s\"'@:]*:[^/\\s\"'@]+@|://[^/\\s\"'@:]{20,}@|/t/[a-z]{2}-"
                            + "|(pass(word|wd|phrase)?|token|secret|api_?key|credentials?)"
                            + "[\"'\\s]*[:=(]+[\"'\\s]*[^\\s\"'=:(){]");

    /** Other files that git reads because its settings name them. */
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?im)^\\s*(?:path|excludesfile|attributesfile|template|hookspath)\\s*=\\s*"
                            + "\"?([^\"\\r\\n#;]+)");

    private static final int LONGEST = 1 << 20; // bytes; larger files are no settings

    private Settings() {}

    /**
     * Sorts them.
     *
     * @param clean gets those that hold no credential
     * @param others gets the rest
     */
    static void sort(Path home, List<Path> clean, List<Path> others) {
        List<Path> files = new ArrayList<>();
        for (String name : FILES) {
            files.add(home.resolve(name));
        }
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (Files.isRegularFile(file)) {
                String text = text(file);
                (CREDENTIAL.matcher(text).find() ? others : clean).add(file);
                if (i < 2) {
                    files.addAll(named(text, file, home));
                }
            } else if (Files.isDirectory(file)) {
                clean.add(file); // of hooks
            }
        }
    }

    private static List<Path> named(String text, Path file, Path home) {
        List<Path> named = new ArrayList<>();
        Matcher matcher = NAMED.matcher(text);
        while (matcher.find()) {
            String path = matcher.group(1).strip();
            Path folder = file.getParent();
            if (folder != null && path.indexOf('\0') < 0) {
                named.add(
                        path.startsWith("~/")
                                ? home.resolve(path.substring(2))
                                : folder.resolve(path).normalize());
            }
        }
        return named;
    }

    /** What cannot be read or is too long counts as if it held a credential. */
    private static String text(Path file) {
        try {
            return Files.size(file) > LONGEST
                    ? "password=?"
                    : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "password=?";
        }
    }
}
