package dev.agentloop.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that a line of source text defines, as far as one line tells: what ctags does, with an
 * expression for each kind of a language. A guess that is good enough to rank by.
 */
final class Definitions {
    private static final int LONGEST_LINE = 500; // longer ones are data or generated
    private static final String NAME = "([\\p{L}_$][\\p{L}\\p{N}_$]*)";

    /** Words before a parenthesis that are no name of a method. */
    private static final Set<String> KEYWORDS =
            Set.of(
                    "if",
                    "for",
                    "while",
                    "switch",
                    "catch",
                    "return",
                    "new",
                    "else",
                    "throw",
                    "do",
                    "synchronized",
                    "using",
                    "lock",
                    "sizeof",
                    "await",
                    "yield",
                    "super",
                    "this",
                    "assert",
                    "case",
                    "try",
                    "foreach",
                    "elif",
                    "match",
                    "function",
                    "when",
                    "delete",
                    "typeof",
                    "defined",
                    "and",
                    "or",
                    "not",
                    "in",
                    "is");

    private static final Pattern AFTER_PARAMETERS =
            Pattern.compile("\\)(?:\\s*\\b(?:const|noexcept|override|final))+$");

    /** A structure with its fields and the name it gets, on one line. */
    private static final Pattern TYPEDEF_OF_BODY =
            Pattern.compile("^\\s*typedef\\s.*\\}\\s*" + NAME + "\\s*;\\s*$");

    /** What methods may stand in. */
    private static final Set<String> OUTER = Set.of("class", "interface", "enum", "struct");

    private static final List<Kind> JVM =
            List.of(
                    kind("class", "\\b(?:class|record|object|trait)\\s+" + NAME),
                    kind("interface", "\\b@?interface\\s+" + NAME),
                    kind("enum", "\\benum\\s+(?:class\\s+)?" + NAME),
                    kind("function", "\\b(?:fun|def)\\s+(?:<[^>]*>\\s*)?(?:[\\w.]+\\.)?" + NAME),
                    kind(
                            "constant",
                            "\\bstatic\\s+final\\s+[\\w<>\\[\\], .?]+?\\s" + NAME + "\\s*="),
                    kind("value", "^\\s*(?:[a-z]+\\s+)*(?:val|var|type|typealias)\\s+" + NAME));

    /** Type, name, parameters, and then no semicolon: C and its family. */
    private static final Kind METHOD =
            head(
                    "function",
                    "^(?!\\s*(?:return|throw|else|case|goto|new|delete|co_return|co_yield)\\b)"
                            + "\\s*(?:[\\w@<>\\[\\],.?*&:~]+\\s+)*?(?:[\\w<>\\[\\],.?*&:]+[\\s*&]+)"
                            + "(?:\\w+(?:<[\\w, ]*>)?::){0,4}~?"
                            + NAME
                            + "\\s*\\([^;]*(?:\\{.*|\\)|,|\\()\\s*(?:const\\s*|throws [\\w., ]+)?"
                            + "[{]?\\s*$");

    /** What may stand before a type that is defined, and what follows its name. */
    private static final String C_START =
            "^\\s*(?:(?:typedef|static|const|constexpr|volatile|extern(?:\\s+\"C\")?|inline|export"
                    + "|EXPORT|template\\s*<.*>|public:|private:|protected:)\\s+)*";

    private static final String C_BODY =
            "(?![\\p{L}\\p{N}_$])(?=\\s*(?:<[^;{]*>\\s*)?(?:$|\\{|:(?!:)|final\\b|/[/*]))";

    private static final List<Kind> C =
            List.of(
                    kind(
                            "variable",
                            "^(?:(?:static|const|constexpr|extern|volatile|inline|struct|unsigned)\\s+)+"
                                    + "[\\w:<>,*& ]*?[\\s*&]"
                                    + NAME
                                    + "\\s*(?:\\[[^\\]]*\\])?\\s*=[^=]"),
                    kind(
                            "variable",
                            "^\\s+static\\s+(?:inline\\s+)?(?:const|constexpr)\\s+[\\w:<>,*& ]*?[\\s*&]"
                                    + NAME
                                    + "\\s*(?:\\[[^\\]]*\\])?\\s*(?:=[^=]|\\{)"),
                    kind("type", "^\\s*(?:using|concept)\\s+" + NAME + "\\s*="),
                    kind(
                            "class",
                            C_START
                                    + "(?:class|struct|union|namespace|concept)\\s+"
                                    + "(?:[A-Z][A-Z0-9_]*\\s+|\\w+::)*"
                                    + NAME
                                    + C_BODY),
                    kind("enum", C_START + "enum\\s+(?:class\\s+|struct\\s+)?" + NAME + C_BODY),
                    kind("macro", "^\\s*#\\s*define\\s+" + NAME),
                    kind("type", "^\\s*typedef\\b.*\\(\\s*\\*\\s*" + NAME + "\\s*\\)\\s*\\("),
                    kind("type", "^\\s*typedef\\b.*\\b" + NAME + "\\s*(?:\\[.*)?;"),
                    kind("type", "^\\}\\s*(?:__\\w+(?:\\(.*\\))?\\s*)?" + NAME + "\\s*;"),
                    kind("function", "^SYSCALL_DEFINE\\d\\(\\s*" + NAME),
                    head("function", "^(?:[\\w<>,]+::)+~?" + NAME + "\\s*\\([^;]*$"),
                    head(
                            "function",
                            "^(?![A-Z0-9_]+\\s*\\()" + NAME + "\\s*\\([^;{]*\\)?\\s*\\{?\\s*$"),
                    METHOD);

    private static final List<Kind> SCRIPT =
            List.of(
                    kind("class", "\\b(?:class|namespace|module)\\s+" + NAME),
                    kind("interface", "\\binterface\\s+" + NAME),
                    kind("enum", "\\benum\\s+" + NAME),
                    kind(
                            "type",
                            "^\\s*(?:export\\s+)?(?:declare\\s+)?type\\s+" + NAME + "\\b[^;]*="),
                    kind("function", "\\bfunction\\b\\s*\\*?\\s*" + NAME),
                    kind(
                            "function",
                            "\\b(?:const|let|var)\\s+"
                                    + NAME
                                    + "\\s*(?::[^=]+)?=\\s*(?:async\\s*)?(?:function\\b|\\(.*=>|\\w+\\s*=>)"),
                    kind("constant", "^(?:export\\s+)?(?:const|let|var)\\s+" + NAME),
                    kind(
                            "method",
                            "^\\s+(?:(?:public|private|protected|static|async|get|set|readonly|override)\\s+)*[*#]?"
                                    + NAME
                                    + "\\s*(?:<[^>]*>)?\\([^;]*\\)\\s*(?::[^;=]+)?\\{\\s*$"));

    private static final List<Kind> PYTHON =
            List.of(
                    kind("class", "^\\s*class\\s+" + NAME),
                    kind("function", "^\\s*(?:async\\s+)?def\\s+" + NAME),
                    kind("constant", "^([A-Z][A-Z0-9_]+)\\s*(?::[^=]+)?=(?!=)"));

    private static final List<Kind> GO =
            List.of(
                    kind("function", "^func\\s+(?:\\([^)]*\\)\\s*)?" + NAME),
                    kind("type", "^\\s*type\\s+" + NAME),
                    kind("constant", "^(?:const|var)\\s+" + NAME));

    private static final List<Kind> RUST =
            List.of(
                    kind("function", "\\bfn\\s+" + NAME),
                    kind("type", "\\b(?:struct|enum|trait|union|type|mod)\\s+" + NAME),
                    kind("constant", "\\b(?:const|static)\\s+(?:mut\\s+)?" + NAME + "\\s*:"),
                    kind("macro", "\\bmacro_rules!\\s*" + NAME));

    private static final List<Kind> RUBY =
            List.of(
                    kind("class", "^\\s*(?:class|module)\\s+(?:\\w+::)*" + NAME),
                    kind("function", "^\\s*def\\s+(?:self\\.)?" + NAME),
                    kind("constant", "^\\s*([A-Z][A-Z0-9_]+)\\s*="));

    private static final List<Kind> PHP =
            List.of(
                    kind("class", "\\b(?:class|trait|enum)\\s+" + NAME),
                    kind("interface", "\\binterface\\s+" + NAME),
                    kind("function", "\\bfunction\\s+&?" + NAME),
                    kind("constant", "\\bconst\\s+(?:\\w+\\s+)?" + NAME + "\\s*="));

    private static final List<Kind> SWIFT =
            List.of(
                    kind(
                            "class",
                            "\\b(?:class|struct|protocol|extension|actor)\\s+(?!func|var)" + NAME),
                    kind("enum", "\\benum\\s+" + NAME),
                    kind("function", "\\bfunc\\s+" + NAME),
                    kind("value", "^\\s*(?:[a-z]+\\s+)*(?:let|var|typealias)\\s+" + NAME));

    private static final List<Kind> SHELL =
            List.of(
                    kind("function", "^\\s*(?:function\\s+)?([\\w-]+)\\s*\\(\\)"),
                    kind("function", "^\\s*function\\s+([\\w-]+)"),
                    kind("variable", "^(?:export\\s+|readonly\\s+)?([A-Z_][A-Z0-9_]*)="));

    private static final List<Kind> SQL =
            List.of(
                    kind(
                            "table",
                            "(?i)\\bcreate\\s+(?:or\\s+replace\\s+)?(?:\\w+\\s+){0,2}?(?:table|view|index|function|"
                                    + "procedure|trigger|type|schema|sequence)\\s+(?:if\\s+not\\s+exists\\s+)?"
                                    + "[\"`\\[]?(?:\\w+\\.)?[\"`\\[]?(\\w+)"));

    private static final Map<String, List<Kind>> LANGUAGES =
            Map.ofEntries(
                    Map.entry("java groovy gradle", with(JVM, METHOD)),
                    Map.entry("kt kts scala sc", JVM),
                    Map.entry(
                            "cs", with(with(JVM, kind("struct", "\\bstruct\\s+" + NAME)), METHOD)),
                    Map.entry("c h cc cpp cxx hpp hh hxx m mm cu ino", C),
                    Map.entry("js jsx mjs cjs ts tsx mts cts vue svelte", SCRIPT),
                    Map.entry("py pyi pyx", PYTHON),
                    Map.entry("go", GO),
                    Map.entry("rs", RUST),
                    Map.entry("rb rake", RUBY),
                    Map.entry("php", PHP),
                    Map.entry("swift", SWIFT),
                    Map.entry("sh bash zsh ksh", SHELL),
                    Map.entry("sql", SQL),
                    Map.entry(
                            "lua",
                            List.of(kind("function", "\\bfunction\\s+(?:\\w+[.:])*" + NAME))),
                    Map.entry(
                            "ex exs",
                            List.of(
                                    kind("module", "^\\s*defmodule\\s+(?:\\w+\\.)*" + NAME),
                                    kind("function", "^\\s*def(?:p|macro|macrop)?\\s+" + NAME))),
                    Map.entry(
                            "proto",
                            List.of(kind("type", "^\\s*(?:message|service|enum|rpc)\\s+" + NAME))));

    private static final Definitions NONE = new Definitions(List.of());
    private static final Map<String, Definitions> BY_SUFFIX = bySuffix();

    private final List<Kind> kinds;

    private Definitions(List<Kind> kinds) {
        this.kinds = kinds;
    }

    /** A defined name and what it names. */
    record Definition(String kind, String name) {}

    /**
     * An expression for one kind of definition.
     *
     * @param anyOf texts of which a line has one if it matches; empty if that is not known
     * @param statement whether a line without a body that ends with a semicolon may match
     */
    private record Kind(String word, Pattern pattern, List<String> anyOf, boolean statement) {
        boolean mayMatch(String line, boolean isStatement) {
            return (statement || !isStatement)
                    && (anyOf.isEmpty() || anyOf.stream().anyMatch(line::contains));
        }
    }

    /** For a file of this name; knows nothing about languages that are not in the list. */
    static Definitions in(String file) {
        String suffix = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return BY_SUFFIX.getOrDefault(suffix, NONE);
    }

    /** What the line defines: a class, and the methods that stand on its line. */
    List<Definition> all(String line, SearchDeadline deadline) {
        Optional<Definition> first = on(line, deadline);
        int body = line.indexOf('{');
        Matcher alias = TYPEDEF_OF_BODY.matcher(line);
        if (first.isPresent() && body >= 0 && alias.find()) {
            return List.of(first.get(), new Definition("type", alias.group(1)));
        }
        if (first.isEmpty() || body < 0 || !OUTER.contains(first.get().kind())) {
            return first.stream().toList();
        }
        List<Definition> all = new ArrayList<>(first.stream().toList());
        for (String part : line.substring(body + 1).split("[{};]")) {
            String head = AFTER_PARAMETERS.matcher(part.strip()).replaceFirst(")");
            String word = head.split("[^\\p{L}\\p{N}_$]", 2)[0];
            if (head.endsWith(")") && !KEYWORDS.contains(word)) {
                on("    " + head + " {", deadline).ifPresent(all::add);
            }
        }
        return all;
    }

    /** What the line defines, if anything. */
    Optional<Definition> on(String line, SearchDeadline deadline) {
        if (line.length() > LONGEST_LINE || isComment(line.strip())) {
            return Optional.empty();
        }
        boolean isStatement = line.stripTrailing().endsWith(";") && line.indexOf('{') < 0;
        for (Kind kind : kinds) {
            if (!kind.mayMatch(line, isStatement)) {
                continue;
            }
            Matcher matcher = kind.pattern().matcher(deadline.guard(line));
            if (matcher.find() && !KEYWORDS.contains(matcher.group(1))) {
                return Optional.of(new Definition(kind.word(), matcher.group(1)));
            }
        }
        return Optional.empty();
    }

    private static boolean isComment(String line) {
        return line.startsWith("//")
                || line.startsWith("*")
                || line.startsWith("/*")
                || line.startsWith("# ")
                || line.startsWith("-- ");
    }

    private static Map<String, Definitions> bySuffix() {
        Map<String, Definitions> all = new HashMap<>();
        LANGUAGES.forEach((suffixes, kinds) -> {
            Definitions definitions = new Definitions(kinds);
            for (String suffix : suffixes.split(" ")) {
                all.put(suffix, definitions);
            }
        });
        return all;
    }

    private static Kind kind(String word, String regex) {
        List<String> anyOf =
                RequiredLiterals.of(regex, false)
                        .flatMap(RequiredLiterals::texts)
                        .orElse(List.of());
        return new Kind(word, Pattern.compile(regex), anyOf, true);
    }

    /** A kind whose lines have no semicolon, or one in a body only. */
    private static Kind head(String word, String regex) {
        return new Kind(word, Pattern.compile(regex), List.of("("), false);
    }

    private static List<Kind> with(List<Kind> kinds, Kind more) {
        List<Kind> all = new ArrayList<>(kinds);
        all.add(more);
        return List.copyOf(all);
    }
}
