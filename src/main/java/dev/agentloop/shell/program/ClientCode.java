package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients of databases and of file servers do besides speaking to them. */
final class ClientCode {
    private static final Set<String> LITE =
            Set.of("sqlite3", "sqlite", "duckdb", "litecli", "sqlcipher");
    private static final Set<String> POSTGRES = Set.of("psql", "pgcli");
    private static final Set<String> MYSQL = Set.of("mysql", "mariadb", "mycli");
    private static final Set<String> OTHERS =
            Set.of(
                    ("ftp sftp lftp telnet sqlplus isql sqlcmd beeline cqlsh clickhouse-client"
                                    + " clickhouse-local clickhouse bc dc ed ex")
                            .split(" "));

    /** Commands of sqlite and duckdb behind a dot that start nothing; it takes their beginnings. */
    private static final Set<String> PLAIN_DOTS =
            Set.of(
                    ("tables table schema mode headers header databases indexes indices width"
                                    + " timer quit exit help echo stats show print nullvalue separator"
                                    + " bail changes eqp explain fullschema limit sha3sum version"
                                    + " vfsname vfsinfo vfslist timeout parameter dump columns col"
                                    + " maxrows maxwidth")
                            .split(" "));

    private static final Pattern DOT = Pattern.compile("(?m)^\\s*\\.([A-Za-z]\\w*)([^\\n]*)");
    private static final Pattern FUNCTION =
            Pattern.compile(
                    "(?i)\\b(edit|load_extension|writefile|fts3_tokenizer|executable)\\s*\\(");

    /** Commands of psql that only show or format. */
    private static final Pattern PLAIN_BACKSLASH =
            Pattern.compile(
                    "d\\S*|l\\+?|list|x|q|timing|conninfo|h|help|\\?|z|a|t|H|f|c|connect|encoding"
                            + "|echo|copyright|pset|gx|g(?=\\s*$)|errverbose|sf\\+?|sv\\+?|n|N|r|s");

    private static final Pattern BACKSLASH =
            Pattern.compile("\\\\(!|\\?|[A-Za-z]\\S*)([^\\n\\\\]*)");
    private static final Pattern PIPED = Pattern.compile("(?i)[|`]|\\bprogram\\b");
    private static final Pattern SERVER = Pattern.compile("(?i)\\bprogram\\s*'([^']*)'");

    /** At the beginning of a statement, where mysql takes a word for its own. */
    private static final Pattern MYSQL_WORD =
            Pattern.compile(
                    "(?im)(?:^|;)\\s*(?:system|pager|edit|source|tee)\\b([^;\\n]*)|\\\\[!PeT.]([^;\\n]*)");

    private static final Pattern SIGN =
            Pattern.compile("(?im)(?:^|\\s)\\w{0,2}!+([^\\n]*)|^\\s*host\\b([^\\n]*)");

    private ClientCode() {}

    /** Whether the program is one of them. */
    static boolean isClient(String name) {
        return LITE.contains(name)
                || POSTGRES.contains(name)
                || MYSQL.contains(name)
                || OTHERS.contains(name);
    }

    /** What a text tells the client to start; empty texts among them are not known. */
    static List<String> starts(String name, String text) {
        List<String> found = new ArrayList<>();
        if (LITE.contains(name)) {
            dots(text, found);
        } else if (POSTGRES.contains(name)) {
            backslashes(text, found);
        } else if (MYSQL.contains(name)) {
            all(MYSQL_WORD, text, found);
        } else if (OTHERS.contains(name)) {
            all(SIGN, text, found);
        }
        if (FUNCTION.matcher(text).find()) {
            found.add("");
            found.addAll(CodeText.beginnings(text));
        }
        all(SERVER, text, found);
        return found;
    }

    private static void dots(String text, List<String> found) {
        Matcher dot = DOT.matcher(text);
        while (dot.find()) {
            String rest = dot.group(2).strip();
            boolean plain = PLAIN_DOTS.contains(dot.group(1).toLowerCase(Locale.ROOT));
            if (!plain || rest.indexOf('|') >= 0) {
                found.add(rest.replaceFirst("^[\"'|]+", ""));
            }
        }
    }

    private static void backslashes(String text, List<String> found) {
        Matcher command = BACKSLASH.matcher(text);
        while (command.find()) {
            String rest = command.group(2).strip();
            boolean copy = command.group(1).equalsIgnoreCase("copy");
            boolean plain = copy || PLAIN_BACKSLASH.matcher(command.group(1)).matches();
            if (!plain || PIPED.matcher(rest).find()) {
                int program = copy ? rest.toLowerCase(Locale.ROOT).indexOf("program") : -1;
                String started = program < 0 ? rest : rest.substring(program + "program".length());
                found.add(started.replaceFirst("^[\\s'\"|`]+", ""));
            }
        }
    }

    private static void all(Pattern pattern, String text, List<String> found) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            String first = matcher.group(1);
            String started = first == null && matcher.groupCount() > 1 ? matcher.group(2) : first;
            found.add(started == null ? "" : started.strip());
            found.add(
                    started == null ? "" : started.strip().replaceFirst("^\\S+\\s+", "")); // !sh X
        }
    }
}
