package dev.agentloop.sandbox.home;

import dev.agentloop.sandbox.git.settings.ConfigText;
import dev.agentloop.sandbox.git.settings.ConfigText.Content;
import dev.agentloop.sandbox.git.settings.ConfigText.Piece;
import dev.agentloop.sandbox.git.settings.ConfigText.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The settings that git reads for this user, with the files that they include and name. Git ends
 * with an error if there is one that it may not read; so where one holds a secret, commands get a
 * copy of them all without what is secret.
 */
final class GitConfigs {
    private static final int MOST = 50; // files
    private static final String INCLUDE = "path";

    /** Other files that settings name and git reads. */
    private static final Set<String> NAMING =
            Set.of("core.excludesfile", "core.attributesfile", "core.hookspath", "commit.template");

    /** Their names sound like a secret; they hold a public key, or how to ask for something. */
    private static final Set<String> PUBLIC = Set.of("user.signingkey", "core.askpass");

    private static final List<String> RELATIVE = List.of("gitdir:./", "gitdir/i:./");

    private static final Stamped<Config> CONFIGS = new Stamped<>(GitConfigs::config);
    private static final Stamped<Boolean> HOLDS_SECRET =
            new Stamped<>(file -> Secrets.areInFile(Settings.text(file), false));

    private final Path home;
    private final boolean chosen;
    private final int roots;
    private final List<Config> configs = new ArrayList<>();
    private final Map<Path, Boolean> named = new LinkedHashMap<>();
    private final Set<Path> amongCredentials = new HashSet<>();

    /**
     * A file of settings that git reads for this user.
     *
     * @param content empty if it is not in git's format
     * @param secret whether it holds a secret
     */
    private record Config(Path file, String text, Optional<Content> content, boolean secret) {
        List<Piece> pieces() {
            return content.map(Content::pieces).orElse(List.of());
        }
    }

    private GitConfigs(Path home, boolean chosen, List<Path> files) {
        this.home = home;
        this.chosen = chosen;
        files.forEach(this::read);
        this.roots = configs.size();
        for (int i = 0; i < configs.size(); i++) {
            Config config = configs.get(i);
            for (Piece piece : config.pieces()) {
                if (isInclude(piece.setting())) {
                    path(piece.setting(), config).ifPresent(this::read);
                } else if (NAMING.contains(piece.setting().name())) {
                    path(piece.setting(), config).ifPresent(this::name);
                }
            }
        }
    }

    /** Looks at the files: those that a variable names, or else those in the home. */
    static GitConfigs of(Path home, Map<String, String> environment) {
        String moved = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path folder =
                (moved.startsWith("/") ? Path.of(moved) : home.resolve(".config")).resolve("git");
        String own = environment.getOrDefault(GitCopy.VARIABLE, "");
        boolean chosen = own.startsWith("/");
        List<Path> files =
                chosen
                        ? List.of(Path.of(own))
                        : List.of(folder.resolve("config"), home.resolve(".gitconfig"));
        GitConfigs configs = new GitConfigs(home, chosen, files);
        configs.name(folder.resolve("ignore"));
        configs.name(folder.resolve("attributes"));
        return configs;
    }

    /**
     * Sorts them as {@link Settings#sort} does.
     *
     * @param among whether a file lies among credentials, so that nothing of it is shown
     */
    void sort(Predicate<Path> among, List<Path> clean, List<Path> others) {
        Map<Path, Boolean> all = new LinkedHashMap<>(named);
        configs.forEach(config -> all.put(config.file, config.secret));
        all.keySet().stream().filter(among).forEach(amongCredentials::add);
        all.forEach((path, secret) -> {
            boolean hide = secret || amongCredentials.contains(path);
            (hide ? others : clean).add(path);
        });
    }

    /** Without what is hidden; none if nothing is, and commands find all of it themselves. */
    GitCopy copy(Predicate<Path> hidden) {
        boolean needed =
                chosen
                        || configs.stream().map(Config::file).anyMatch(hidden)
                        || named.keySet().stream().anyMatch(hidden);
        if (!needed) {
            return GitCopy.NONE;
        }
        List<String> texts = new ArrayList<>();
        configs.forEach(config -> texts.add(copy(config, hidden)));
        texts.addFirst(String.join("\n", texts.subList(0, roots)));
        return new GitCopy(List.copyOf(texts));
    }

    private String copy(Config config, Predicate<Path> hidden) {
        boolean isHidden = hidden.test(config.file);
        if (amongCredentials.contains(config.file)) {
            return "";
        }
        if (config.content.isEmpty()) {
            return isHidden ? "" : config.text;
        }
        StringBuilder copy = new StringBuilder();
        for (Piece piece : config.pieces()) {
            String text = isHidden && isSecret(piece) ? "" : text(piece, config, hidden);
            if (!text.isEmpty()) {
                copy.append(header(piece, config)).append("\n\t").append(text).append('\n');
            }
        }
        return copy.toString();
    }

    /** Empty if it must be left out: git would end at a file that it may not read. */
    private String text(Piece piece, Config config, Predicate<Path> hidden) {
        Setting setting = piece.setting();
        if (isInclude(setting)) {
            int place = path(setting, config).map(this::place).orElse(-1);
            return place < 0 ? "" : INCLUDE + " = " + (place + 1);
        }
        boolean leadsToHidden =
                NAMING.contains(setting.name()) && path(setting, config).filter(hidden).isPresent();
        return leadsToHidden ? "" : piece.text();
    }

    /** A condition that begins where the file lies would begin where the copy lies. */
    private static String header(Piece piece, Config config) {
        String condition = piece.setting().part();
        Path folder = config.file.getParent();
        for (String start : RELATIVE) {
            if (condition.startsWith(start) && folder != null) {
                String kind = start.substring(0, start.length() - 2);
                String place = bytes(real(folder) + "/") + condition.substring(start.length());
                String quoted = (kind + place).replace("\\", "\\\\").replace("\"", "\\\"");
                return "[includeIf \"" + quoted + "\"]";
            }
        }
        return piece.header();
    }

    private void read(Path file) {
        if (configs.size() < MOST && place(file) < 0) {
            CONFIGS.of(file, false).ifPresent(configs::add);
        }
    }

    private static Config config(Path file) {
        String text = Settings.text(file);
        Optional<Content> content = ConfigText.content(withoutMark(text));
        boolean secret =
                content.map(GitConfigs::isSecret).orElseGet(() -> Secrets.areInFile(text, false));
        return new Config(file, text, content, secret);
    }

    private void name(Path path) {
        if (Files.isDirectory(path)) {
            named.put(path, false); // of hooks
        } else {
            HOLDS_SECRET.of(path, false).ifPresent(secret -> named.put(path, secret));
        }
    }

    private int place(Path file) {
        return configs.stream().map(Config::file).toList().indexOf(file);
    }

    private static boolean isSecret(Content content) {
        return content.pieces().stream().anyMatch(GitConfigs::isSecret)
                || content.comments().stream().anyMatch(Secrets::areInComment);
    }

    /** As it is written and as git reads it, which may be without quotes in the midst of a word. */
    private static boolean isSecret(Piece piece) {
        Setting setting = piece.setting();
        boolean asks = setting.section().startsWith("credential"); // for one, and has none
        String name = asks ? "." + setting.key() : setting.name();
        return isPublic(setting)
                ? Secrets.areIn(setting.value()) || Secrets.showIn(piece.text())
                : Secrets.areNamed(name, setting.value())
                        || Secrets.areIn(setting.toString())
                        || Secrets.areIn(piece.header() + "\n" + piece.text());
    }

    private static boolean isPublic(Setting setting) {
        return PUBLIC.contains(setting.name())
                || setting.section().equals("gpg")
                || setting.section().equals("alias");
    }

    private static boolean isInclude(Setting setting) {
        return setting.section().startsWith("include") && setting.key().equals(INCLUDE);
    }

    private Optional<Path> path(Setting setting, Config config) {
        String value =
                new String(
                        setting.value().getBytes(StandardCharsets.ISO_8859_1),
                        StandardCharsets.UTF_8);
        boolean ofHome = value.startsWith("~/");
        if (value.isEmpty() || value.startsWith("%(") || value.startsWith("~") && !ofHome) {
            return Optional.empty();
        }
        try {
            Path path =
                    ofHome ? home.resolve(value.substring(2)) : config.file.resolveSibling(value);
            return Optional.of(path.normalize());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder;
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text;
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
