package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a program does with its words, as the resource {@code commands/programs.txt} says it. */
public final class ProgramKinds {
    /** What the words of a program may be. */
    public enum Kind {
        /** Files and text; nothing is started but through some options. */
        PLAIN,
        /** Tasks and tests of the project, whose files say what runs. */
        RUNNER,
        /** A program that it starts, in a way of its own. */
        STARTER,
        /** A command that the shell itself carries out. */
        SHELL,
        /** A program that the tables do not know, which may do anything. */
        UNKNOWN
    }

    private static final Pattern VERSION = Pattern.compile("[-.]?[0-9][0-9.]*$");

    /** Options that name a program in whatever program knows them. */
    private static final Pattern RUNNING =
            Pattern.compile(
                    "--?(?!no-)([a-z]+[-_])*(exec|command|cmd|pager|editor|rsh|eval|shell|launcher"
                            + "|wrapper|prog|program|hook|hooks|preprocessor|viewer|browser"
                            + "|interpreter|renderer|askpass|runtool)([-_][a-z]+)*");

    /** The same for programs that take no such words for tasks and tests. */
    private static final Pattern LOADING =
            Pattern.compile(
                    "--?(?!no-)([a-z]+[-_])*(plugin|plugins|script|tool|operator|using|engine)"
                            + "([-_][a-z]+)*");

    private static final int MAX_OPTION = 200; // no program has one of that length

    private static @Nullable ProgramKinds loaded;

    private final Map<String, Kind> kinds = new HashMap<>();
    private final Map<String, Set<String>> options = new HashMap<>();
    private final Map<String, Set<String>> verbs = new HashMap<>();
    private final Map<String, Set<String>> inline = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final Map<String, String> clusters = new HashMap<>();
    private final Set<String> ofText = new HashSet<>();
    private final Set<String> words = new HashSet<>();
    private final List<String> variables = new ArrayList<>();

    private ProgramKinds() {
        String section = "";
        for (String line : Catalogue.text("programs.txt").lines().toList()) {
            if (line.startsWith("[") && line.endsWith("]") && line.indexOf(' ') < 0) {
                section = line.substring(1, line.length() - 1);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                read(section, line);
            }
        }
    }

    private void read(String section, String line) {
        List<String> words = List.of(line.split(" +"));
        switch (section) {
            case "plain" -> words.forEach(word -> kinds.put(word, Kind.PLAIN));
            case "runner" -> words.forEach(word -> kinds.put(word, Kind.RUNNER));
            case "starter" -> words.forEach(word -> kinds.put(word, Kind.STARTER));
            case "shell" -> words.forEach(word -> kinds.put(word, Kind.SHELL));
            case "variables" -> variables.addAll(words);
            case "text" -> ofText.addAll(words);
            case "words" -> this.words.addAll(words);
            case "aliases" -> words.forEach(word -> aliases.put(before(word), behind(word)));
            case "clusters" -> words.forEach(word -> clusters.put(before(word), behind(word)));
            case "verbs" -> add(verbs, words);
            case "inline" -> add(inline, words);
            default -> add(options, words);
        }
    }

    private static String before(String word) {
        return word.substring(0, word.indexOf('='));
    }

    private static String behind(String word) {
        return word.substring(word.indexOf('=') + 1);
    }

    private static void add(Map<String, Set<String>> table, List<String> words) {
        String names = words.getFirst().substring(0, words.getFirst().length() - 1);
        for (String name : names.split("\\|")) {
            table.computeIfAbsent(name, _ -> new HashSet<>())
                    .addAll(words.subList(1, words.size()));
        }
    }

    private static synchronized ProgramKinds get() {
        ProgramKinds kinds = loaded;
        if (kinds == null) {
            kinds = new ProgramKinds();
            loaded = kinds;
        }
        return kinds;
    }

    /**
     * @param program as written: a file of the project is not the program of this name
     */
    public static Kind of(String program) {
        String name = program.substring(program.lastIndexOf('/') + 1);
        Kind kind = get().kind(name);
        boolean ofProject = program.indexOf('/') >= 0 && !program.startsWith("/");
        return ofProject && kind == Kind.PLAIN ? Kind.UNKNOWN : kind;
    }

    /**
     * The same for a program with its words: one whose verbs are known starts, by another verb,
     * what nobody knows.
     */
    public static Kind of(String program, List<String> words) {
        Kind kind = of(program);
        Set<String> known = get().verbs.get(plainName(program));
        boolean asks = words.stream().allMatch(word -> word.startsWith("-"));
        return known == null
                        || asks
                        || Subcommand.readings(plainName(program), words).stream()
                                .anyMatch(reading -> known.contains(reading.verb()))
                ? kind
                : Kind.STARTER;
    }

    /** The name by which a program is known here: without folders and version, or its usual one. */
    public static String plainName(String program) {
        String name = program.substring(program.lastIndexOf('/') + 1);
        int package_ = name.indexOf('@');
        String bare = package_ > 0 ? name.substring(0, package_) : name;
        if (!get().kinds.containsKey(bare) && !get().aliases.containsKey(bare)) {
            String plain = VERSION.matcher(bare).replaceFirst("");
            boolean known = get().kinds.containsKey(plain) || get().aliases.containsKey(plain);
            bare = known && isLong(plain) ? plain : bare;
        }
        return get().aliases.getOrDefault(bare, bare);
    }

    /** ed25519 is no editor. */
    private static boolean isLong(String plain) {
        return plain.length() > 2;
    }

    private Kind kind(String name) {
        Kind kind = kinds.get(name);
        if (kind == null) {
            String plain = VERSION.matcher(name).replaceFirst("");
            kind = kinds.get(isLong(plain) ? aliases.getOrDefault(plain, plain) : "");
        }
        if (kind == null
                && (name.startsWith("ld-linux")
                        || name.startsWith("ld-musl")
                        || name.startsWith("ld-2")
                        || name.startsWith("qemu-"))) {
            return Kind.STARTER;
        }
        return kind == null ? Kind.UNKNOWN : kind;
    }

    /** Whether a word is the name of a program that this program knows something of. */
    public static boolean isKnown(String word) {
        String name = word.substring(word.lastIndexOf('/') + 1);
        return !name.isEmpty()
                && (get().kind(name) != Kind.UNKNOWN
                        || Catalogue.names(name)
                        || name.matches("git-[a-z-]+"));
    }

    /** The same, but for names that are more often words, as {@code test}. */
    public static boolean isCommandName(String word) {
        return isKnown(word) && !isWord(word);
    }

    /** Whether the name of a program is more often a word: alone it does nothing to speak of. */
    public static boolean isWord(String name) {
        return get().words.contains(name);
    }

    /** Whether the words of a program are text for people, for a server, or an expression. */
    static boolean takesText(String name) {
        return get().ofText.contains(name);
    }

    /** Whether an option or a verb of the program is followed by code of its language. */
    static boolean runsInline(String name, List<String> words) {
        Set<String> known = get().inline.getOrDefault(name, Set.of());
        boolean verb = known.contains(Subcommand.of(name, words).verb());
        return verb
                || words.stream()
                        .anyMatch(word ->
                                word.startsWith("-")
                                        && known.stream()
                                                .anyMatch(one ->
                                                        word.equals(one)
                                                                || word.startsWith(one + "=")
                                                                || word.startsWith(one + ":")));
    }

    /** Whether programs run the value of a variable, or look there for what they run. */
    public static boolean mayRun(String variable) {
        for (String pattern : get().variables) {
            boolean front = pattern.startsWith("*");
            boolean back = pattern.endsWith("*");
            String plain = pattern.replace("*", "");
            boolean holds =
                    front
                            ? variable.endsWith(plain)
                            : back ? variable.startsWith(plain) : variable.equals(plain);
            if (holds) {
                return true;
            }
        }
        return false;
    }

    /**
     * Values of options that are programs or command lines.
     *
     * @param program its name without folders
     * @param words those after it
     */
    public static List<String> started(String program, List<String> words) {
        String name = plainName(program);
        Set<String> known = get().options.getOrDefault(name, Set.of());
        boolean plain = get().kind(name) == Kind.PLAIN;
        String withValue = get().clusters.getOrDefault(name, "");
        List<String> values = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--") && plain) {
                break;
            }
            int equals = word.indexOf('=');
            String option = equals > 0 ? word.substring(0, equals) : word;
            int cluster = inCluster(known, withValue, word);
            boolean starts =
                    isAmong(known, option)
                            || cluster > 0 && cluster == word.length() - 1
                            || word.startsWith("-")
                                    && option.length() < MAX_OPTION
                                    && (RUNNING.matcher(option).matches()
                                            || plain && LOADING.matcher(option).matches());
            Optional<String> glued =
                    cluster > 0 && !starts
                            ? Optional.of(word.substring(cluster + 1))
                            : glued(known, word);
            if (starts && equals > 0) {
                add(values, word.substring(equals + 1));
            } else if (starts) {
                add(values, i + 1 < words.size() ? words.get(i + 1) : "");
                values.add(
                        String.join(
                                " ", words.subList(Math.min(i + 1, words.size()), words.size())));
            } else {
                glued.ifPresent(value -> add(values, value));
            }
        }
        return values;
    }

    /** The value, and what it may hold: {@code alias.x=!git push}, a program without its words. */
    private static void add(List<String> values, String value) {
        int equals = value.indexOf('=');
        String command = value.substring(equals + 1).replaceFirst("^!", "");
        values.add(value);
        values.add(command.indexOf(' ') < 0 ? command + " \"$@\"" : command);
    }

    /** The option, or the beginning of it that a program takes for it. */
    private static boolean isAmong(Set<String> known, String option) {
        return known.contains(option)
                || option.startsWith("--")
                        && option.length() > 4
                        && known.stream()
                                .anyMatch(one -> one.startsWith("--") && one.startsWith(option));
    }

    /** {@code -tP}: a letter behind others, of which none takes the rest; -1 if there is none. */
    private static int inCluster(Set<String> known, String withValue, String word) {
        if (withValue.isEmpty() || !word.startsWith("-") || word.startsWith("--")) {
            return -1;
        }
        for (int i = 1; i < word.length(); i++) {
            if (known.contains("-" + word.charAt(i))) {
                return i;
            }
            if (withValue.indexOf(word.charAt(i)) >= 0 || !Character.isLetter(word.charAt(i))) {
                return -1;
            }
        }
        return -1;
    }

    /** {@code -Pless}: the value behind a letter, which may stand among other letters. */
    private static Optional<String> glued(Set<String> known, String word) {
        if (!word.startsWith("-") || word.startsWith("--")) {
            return Optional.empty();
        }
        for (String option : known) {
            boolean letter = option.length() == 2 && option.charAt(0) == '-';
            if (letter && word.startsWith(option) && word.length() > 2) {
                return Optional.of(word.substring(2));
            }
            if (!letter && !option.startsWith("--") && word.startsWith(option)) {
                return Optional.of(word.substring(option.length()));
            }
        }
        return Optional.empty();
    }
}
