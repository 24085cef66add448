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

    /** A password or token that shows itself whatever it belongs to. */
    private static final Pattern ANYWHERE =
            Pattern.compile(
                    "(?i)://[^/\\s\"'@:]*:[^/\\s\"'@]+@|://[^/\\s\"'@:]{20,}@|/t/[a-z]{2}-"
                            + "|-----BEGIN [A-Z ]*PRIVATE KEY"
                            + "|\\b(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|AKIA)[a-z0-9_-]{16}");

    /** Names of settings, or how they end, that say that the value is a credential. */
    private static final String KEY =
            "(pass(word|wd|phrase|code)s?|(?<!by|com|tres|sur|over|under|single|multi)pass"
                    + "|tokens?|secrets?|credentials?"
                    + "|(api|access|account|private|secret|signing)[-_]?key"
                    + "|(?<![a-z])_?auth|auth[-_]?(ident|header)|authorization)[\"'\\s]*";

    /** With a value behind it that is not that of a variable. */
    private static final Pattern SETTING =
            Pattern.compile(
                    "(?im)extra-?header|"
                            + KEY
                            + "[:=(]+[\"'\\s]*(?!\\$\\{\\w+[-?]?}[\"']?\\s*$)[^\\s\"'=:(){]");

    /** Without a sign in between: of Groovy, of XML, and of files with a key and a value a line. */
    private static final Pattern VALUE_BESIDE =
            Pattern.compile(
                    "(?im)\\b\\w*(password|token)\\s*\\(?\\s*[\"'][^\"'$\\s]+[\"']"
                            + "|<\\w*(password|passphrase|token|privateKey|secret)>\\s*[^<\\s$]"
                            + "|^\\S*(auth(token)?|password|secret)\"?[ \\t]+[\"']?[^\\s\"'$={:(,;#]+[\"']?$");

    private static final Pattern COMMENT = Pattern.compile("^\\s*(#|;|//\\s)");

    /** Not prose: a single word is behind it. */
    private static final Pattern SETTING_IN_COMMENT =
            Pattern.compile("(?i)extra-?header\\s*=|" + KEY + "[:=]+\\s*\\S+\\s*$");

    /** A line that is a single word. */
    private static final Pattern WORD = Pattern.compile("(?m)^[^\\s=:\\[\\](){}<>]{6,}$");

    /** Other files that git reads because its settings name them. */
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?im)^\\s*(?:path|excludesfile|attributesfile|template|hookspath)\\s*=\\s*"
                            + "\"?([^\"\\r\\n#;]+)");

    private static final int LARGEST_OF_TOOL = 256 << 10; // bytes; what is larger is data
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
        for (String name : OF_REGISTRIES) {
            files.add(home.resolve(name));
        }
        int own = files.size();
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (Files.isRegularFile(file)) {
                String text = text(file);
                boolean ofRegistry = i >= FILES.size() && i < own;
                (holdsCredential(text, ofRegistry) ? others : clean).add(file);
                if (i < 2) {
                    files.addAll(named(text, file, home));
                }
            } else if (i >= own && Files.isDirectory(file)) {
                clean.add(file); // of hooks
            }
        }
    }

    /** Whether small settings of a tool hold a credential; other files are no settings. */
    static boolean holdsToken(Path file) {
        try {
            if (Files.size(file) > LARGEST_OF_TOOL) {
                return false;
            }
        } catch (IOException e) {
            return true;
        }
        String text = text(file);
        return holdsCredential(text, false) || VALUE_BESIDE.matcher(text).find();
    }

    private static boolean holdsCredential(String text, boolean ofRegistry) {
        if (ANYWHERE.matcher(text).find()) {
            return true;
        }
        StringBuilder settings = new StringBuilder();
        for (String line : text.split("\\R", -1)) {
            if (!COMMENT.matcher(line).find()) {
                settings.append(line).append('\n');
            } else if (SETTING_IN_COMMENT.matcher(line).find()) {
                return true;
            }
        }
        return SETTING.matcher(settings).find() || ofRegistry && WORD.matcher(settings).find();
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
