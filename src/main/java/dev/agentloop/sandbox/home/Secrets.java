package dev.agentloop.sandbox.home;

import java.util.regex.Pattern;

/** What in the text of settings is, or looks like, a password, a token or a key. */
final class Secrets {
    /** A password or token that shows itself whatever it belongs to. */
    private static final Pattern ANYWHERE =
            Pattern.compile(
                    "(?i)://[^/\\s\"'@:]*:[^/\\s\"'@]+@|://[^/\\s\"'@:]{20,}@|/t/[a-z]{2}-"
                            + "|-----BEGIN [A-Z ]*PRIVATE KEY"
                            + "|prox(y|ies)[^\\n]{0,80}?[\\s\"'=][^\\s\"'@/:=]+:[^\\s\"'@/]+@"
                            + "|\\b(gh[pousr]_|github_pat_|glpat-|npm_|pypi-|AKIA)[a-z0-9_-]{16}");

    /** Names of settings, or how they end, that say that the value is a credential. */
    private static final String KEY =
            "(pass(word|wd|phrase|code)s?|(?<!by|com|tres|sur|over|under|single|multi)pass"
                    + "|tokens?|secrets?|credentials?"
                    + "|(api|access|account|private|secret|signing|master|encryption|license)[-_]?key"
                    + "|(?<![a-z])_?auth|auth[-_]?(ident|header)|authorization|secret_key_base)[\"'\\s]*";

    /** Words of a command line in a setting. */
    private static final String IN_COMMAND =
            "[\\s\"']--?[\\w-]*(pass(word|wd|phrase)?|token|secret|api-?key)[\\s\"',]+"
                    + "(?!(file|env|fd):|stdin)[^\\s\"',$<>{-]"
                    + "|\\bsshpass\\s+-p\\s*[\"']?[^\\s\"'$]"
                    + "|\\bcurl\\s[^\\n]{0,200}?(-u|--user)[\\s=]*[\"']?[^\\s\"'$:]+:[^\\s\"'$]"
                    + "|\\bopenssl\\s[^\\n]{0,200}?\\s-(k|pass(in|out)?)\\s+[\"']?(?!(file|env|fd):|stdin)"
                    + "[^\\s\"'$-]";

    /** With a value behind it that is not that of a variable. */
    private static final Pattern SETTING =
            Pattern.compile(
                    "(?im)extra-?header|"
                            + KEY
                            + "([:=(]+[\"'\\s]*(\\{[\"'\\s]*value[\"'\\s]*[:=][\"'\\s]*)?"
                            + "(?!\\$\\{\\w+[-?]?}[\"']?\\s*$)[^\\s\"'=:(){]|\\]\\s*value\\s*=)"
                            + "|pwd[\"'\\s]*[:=]+[\"'\\s]*[^\\s\"'$/~.=:(){]|"
                            + IN_COMMAND);

    /** Names of a setting that say so anywhere; {@link #HARMLESS} values are none all the same. */
    private static final Pattern NAME =
            Pattern.compile(
                    "(?i)token|secret|pass-?(w|phrase|code)|kennwort|pwd|bearer|oauth|cookie"
                            + "|session-?id|(api|access|private)-?key|[.-]pat$");

    /** Switches, numbers, places and variables. */
    private static final Pattern HARMLESS =
            Pattern.compile(
                    "(?i)|true|false|yes|no|on|off|[0-9]+|[~./].*|https?://.*|\\$\\{?\\w+}?");

    /** Without a sign in between: of Groovy, of XML, and of files with a key and a value a line. */
    private static final Pattern VALUE_BESIDE =
            Pattern.compile(
                    "(?im)\\b\\w*(pass(word|phrase)|token|secret)\\s*\\(?\\s*[\"'][^\"'$\\s]+[\"']"
                            + "|<\\w*(password|passphrase|token|privateKey|secret)>\\s*[^<\\s$]"
                            + "|\\bkey\\s*=\\s*\"[^\"]*(password|token|secret)[^\"]*\"\\s+value\\s*="
                            + "|^\\S*(auth(token)?|password|secret)\"?[ \\t]+[\"']?[^\\s\"'$={:(,;#]+[\"']?$");

    private static final Pattern COMMENT = Pattern.compile("^\\s*(#|;|//\\s)");

    /** Not prose: a single word is behind it. */
    private static final Pattern SETTING_IN_COMMENT =
            Pattern.compile("(?i)extra-?header\\s*=|" + KEY + "[:=]+\\s*\\S+\\s*$");

    /** A line that is a single word. */
    private static final Pattern WORD = Pattern.compile("(?m)^[^\\s=:\\[\\](){}<>]{6,}$");

    private Secrets() {}

    /** Whether one shows itself, whatever it belongs to. */
    static boolean showIn(String text) {
        return ANYWHERE.matcher(text).find();
    }

    /** Whether one shows itself, or is the value of a setting whose name says so. */
    static boolean areIn(String settings) {
        return showIn(settings) || SETTING.matcher(settings).find();
    }

    /** Whether a setting is one by its name, wherever that says so. */
    static boolean areNamed(String name, String value) {
        return NAME.matcher(name).find() && !HARMLESS.matcher(value).matches();
    }

    /** Whether a comment holds one, and not only prose about one. */
    static boolean areInComment(String line) {
        return showIn(line) || SETTING_IN_COMMENT.matcher(line).find();
    }

    /** Whether settings of any tool, in whatever format, hold one. */
    static boolean areInTool(String text) {
        return areInFile(text, false) || VALUE_BESIDE.matcher(text).find();
    }

    /**
     * Whether a file with a setting a line holds one.
     *
     * @param ofRegistry whether a line that is no setting may be one
     */
    static boolean areInFile(String text, boolean ofRegistry) {
        if (showIn(text)) {
            return true;
        }
        StringBuilder settings = new StringBuilder();
        for (String line : text.split("\\R", -1)) {
            if (!COMMENT.matcher(line).find()) {
                settings.append(line).append('\n');
            } else if (areInComment(line)) {
                return true;
            }
        }
        return SETTING.matcher(settings).find() || ofRegistry && WORD.matcher(settings).find();
    }
}
