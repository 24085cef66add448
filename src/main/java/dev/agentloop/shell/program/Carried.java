package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words that look like commands, or like what brings code along, in a program that is not known to
 * start any: which options all programs have for that, no list can hold.
 */
public final class Carried {
    private static final int MAX_TEXTS = 20; // of one command

    /** They read further words, or code, from a file behind an at sign. */
    private static final Pattern READS_ARGUMENTS =
            Pattern.compile(
                    "([a-z0-9_]+-)*(gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|gfortran|ld|ar|nm|as|objdump"
                            + "|objcopy|strip|ranlib|readelf|javac|java|javadoc|jar|rustc|swiftc|kotlinc"
                            + "|scalac|ghc|cpp)");

    /** Options behind which text stands that is no command. */
    private static final Pattern TEXT_OPTION =
            Pattern.compile(
                    "-[a-z]*[mktgbnNEF]|--?(message|title|body|grep|filter|tests?|testNamePattern"
                            + "|test-name-pattern|run|name|search|query|keyword|pattern|match|regex"
                            + "|expr|expression|description|desc|comment|subject|notes?|reason|label"
                            + "|author|date|format|pretty|header|data|env|category|tags?)");

    private static final Pattern OPTION =
            Pattern.compile("(-{1,2}[\\w.-]+|[\\w.-]+)=(.*)", Pattern.DOTALL);
    private static final Pattern SIGNS = Pattern.compile("^(\\\\?!+|[:+]!+)\\s*");

    private Carried() {}

    /**
     * Texts that may be a command line; empty if no word looks so.
     *
     * @param name of the program, without folders and version
     * @param words those after it
     */
    public static List<String> texts(String name, List<String> words) {
        List<String> texts = new ArrayList<>();
        boolean compiler = READS_ARGUMENTS.matcher(name).matches();
        boolean onlyText = ProgramKinds.takesText(name);
        for (int i = 0; i < words.size() && texts.size() < MAX_TEXTS; i++) {
            String word = words.get(i);
            if (compiler && word.startsWith("@") && word.length() > 1) {
                texts.add(word);
            } else if (!onlyText && !isText(words, i)) {
                command(word, texts);
            }
        }
        return texts;
    }

    private static boolean isText(List<String> words, int at) {
        String word = words.get(at);
        int equals = word.indexOf('=');
        boolean glued = equals > 0 && TEXT_OPTION.matcher(word.substring(0, equals)).matches();
        return glued || at > 0 && TEXT_OPTION.matcher(words.get(at - 1)).matches();
    }

    private static void command(String word, List<String> texts) {
        int transport = word.indexOf("ext::");
        if (transport >= 0) {
            texts.add(word.substring(transport + "ext::".length()));
            return;
        }
        Matcher option = OPTION.matcher(word);
        String value = option.matches() ? option.group(2) : word;
        Matcher signs = SIGNS.matcher(value);
        boolean signed = signs.find();
        String text = (signed ? value.substring(signs.end()) : value).strip();
        int blank = 0;
        while (blank < text.length() && !Character.isWhitespace(text.charAt(blank))) {
            blank++;
        }
        boolean several = blank < text.length();
        if ((several || signed) && ProgramKinds.isKnown(text.substring(0, blank))) {
            texts.add(text);
        }
    }

    /** Programs of which a setting may hold the name, under whatever key. */
    static final Set<String> SETTINGS = Set.of("npm", "pnpm", "yarn", "aws", "gcloud", "pip", "go");

    /** {@code npm config set script-shell X}, {@code aws configure set pager X}. */
    static boolean setsProgram(String name, List<String> words) {
        boolean sets =
                SETTINGS.contains(name)
                        && (words.contains("config")
                                || words.contains("configure")
                                || words.contains("env"))
                        && (words.contains("set") || words.contains("-w"));
        return sets
                && words.stream()
                        .anyMatch(word ->
                                word.matches(
                                        "(?i).*(shell|editor|browser|pager|viewer|git\\b|node-options"
                                                + "|process|executable|command|hook|init-module"
                                                + "|credential|\\bCC|\\bCXX|\\bAR\\b|FLAGS|GOPROXY"
                                                + "|TOOL|PKG_CONFIG).*"));
    }
}
