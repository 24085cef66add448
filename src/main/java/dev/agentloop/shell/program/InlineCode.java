package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Programs that get a program, or the name of one, in an option. */
public final class InlineCode {
    private static final Set<String> AWKS = Set.of("awk", "gawk", "mawk", "nawk");

    private static final int LEAST_PREFIX = 4; // programs take a unique beginning for the option
    private static final Pattern SSH_COMMAND =
            Pattern.compile("(?i)(proxy|local|remote)command\\s*[=\\s]");

    /** Settings whose value git runs, or gives to a shell behind an exclamation mark. */
    private static final Pattern GIT_COMMAND =
            Pattern.compile(
                    "(?i)^(-c)?(alias\\.[^=]*|[^=]*(command|cmd|editor|pager|external|helper|program"
                            + "|textconv|clean|smudge|process|fsmonitor|driver|hookspath|templatedir))=!?");

    /** What git itself does; another verb is an alias, or a program of somebody else. */
    private static final Set<String> GIT_VERBS =
            Set.of(
                    ("add am annotate apply archive bisect blame branch bugreport bundle cat-file"
                                    + " check-attr check-ignore check-mailmap check-ref-format checkout"
                                    + " checkout-index cherry cherry-pick clean clone column commit"
                                    + " commit-graph commit-tree config count-objects describe diagnose"
                                    + " diff diff-files diff-index diff-tree difftool fast-export"
                                    + " fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg"
                                    + " for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id"
                                    + " grep hash-object help imap-send index-pack init init-db"
                                    + " interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo"
                                    + " mailsplit maintenance merge merge-base merge-file merge-index"
                                    + " merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes"
                                    + " pack-objects pack-refs patch-id prune prune-packed pull push"
                                    + " range-diff read-tree rebase reflog remote repack replace"
                                    + " request-pull rerere reset restore rev-list rev-parse revert rm"
                                    + " send-email send-pack shortlog show show-branch show-index show-ref"
                                    + " sparse-checkout stash status stripspace submodule subtree svn switch"
                                    + " symbolic-ref tag unpack-file unpack-objects update-index update-ref"
                                    + " update-server-info var verify-commit verify-pack verify-tag version"
                                    + " whatchanged worktree write-tree flow annex p4 credential absorb"
                                    + " review http-push town crypt secret backfill refs replay")
                            .split(" "));

    private static final Pattern DATABASE_SHELL =
            Pattern.compile(
                    "(?i)(?:\\\\!|\\.(?:shell|system)|^\\s*(?:!|system))\\s+(.*)|program\\s*'([^']*)'");

    /** How clients of databases are told to start a program. */
    private static final Pattern CLIENT_ESCAPE =
            Pattern.compile(
                    "(?i)\\\\!|\\bprogram\\s*'|^\\s*!|\\.(shell|system|import|load|once|output|excel)\\b"
                            + "|^\\s*system\\b|\\bedit\\(");

    private InlineCode() {}

    /** Why it is not known what the command starts, if so. */
    public static Optional<String> unclear(String name, List<String> words) {
        boolean runs =
                switch (name) {
                    case "perl", "ruby", "lua" -> hasLetter(words, 'e') || hasLetter(words, 'E');
                    case "node", "bun", "deno" ->
                            hasLetter(words, 'e')
                                    || hasLetter(words, 'p')
                                    || words.contains("--eval")
                                    || words.contains("--print");
                    case "php" -> hasLetter(words, 'r');
                    case "git" -> isGitRunner(words);
                    case "tar", "bsdtar" -> words.stream().anyMatch(InlineCode::isTarRunner);
                    case "gh" -> words.contains("alias") || words.contains("extension");
                    case "make", "gmake" ->
                            words.stream().anyMatch(word -> word.matches("-f?-|-f?/dev/.*|--.*=-"))
                                    || words.contains("-");
                    case "su", "script", "at", "batch", "crontab" -> true;
                    case "psql", "mysql", "mariadb", "sqlite3", "duckdb", "ftp", "telnet" ->
                            words.stream().anyMatch(word -> CLIENT_ESCAPE.matcher(word).find());
                    case "sed" -> !SedScript.runs(words).isEmpty();
                    default ->
                            name.startsWith("python") && hasLetter(words, 'c')
                                    || AWKS.contains(name)
                                            && words.stream().anyMatch(InlineCode::isAwkRunner);
                };
        return runs ? Optional.of(name + " runs a program given as text") : Optional.empty();
    }

    /** Whether a program runs code of its language. */
    public static boolean isInterpreter(String name) {
        return name.startsWith("python")
                || Set.of(
                                ("perl ruby lua node bun deno php tclsh wish expect Rscript R julia"
                                                + " groovy jshell irb guile racket sbcl ghci osascript pwsh"
                                                + " powershell gnuplot octave ed ex m4 dc bc make gmake")
                                        .split(" "))
                        .contains(name);
    }

    /** Commands that code of another language may start. */
    public static List<String> commands(String code) {
        return CodeText.commands(code);
    }

    /** Whether git is told to do what it does not do itself: an alias may be anything. */
    public static boolean isOtherVerb(List<String> words) {
        boolean asks = words.stream().allMatch(word -> word.startsWith("-"));
        return !asks
                && Subcommand.readings("git", words).stream()
                        .noneMatch(reading -> GIT_VERBS.contains(reading.verb()));
    }

    /** Texts for a shell among the words. */
    public static List<String> shellTexts(String name, List<String> words) {
        return switch (name) {
            case "su", "script", "flock" -> values(words, 'c', "--command");
            case "npm", "npx", "pnpm", "yarn" -> values(words, 'c', "--call");
            case "env" -> values(words, 'S', "--split-string");
            case "git" -> gitTexts(words);
            case "ssh", "scp", "sftp" -> ofSsh(words);
            case "rsync" -> values(words, 'e', "--rsh");
            case "tar", "bsdtar" -> tarTexts(words);
            case "sed" -> SedScript.runs(words);
            case "psql", "mysql", "mariadb", "sqlite3", "duckdb" -> databaseTexts(words);
            case "perl", "ruby", "lua", "node", "bun", "deno", "php", "awk", "gawk", "mawk" ->
                    words.stream().flatMap(word -> CodeText.commands(word).stream()).toList();
            default ->
                    name.startsWith("python")
                            ? words.stream()
                                    .flatMap(word -> CodeText.commands(word).stream())
                                    .toList()
                            : List.of();
        };
    }

    /** Options may have a blank for the equals sign, and any case. */
    private static List<String> ofSsh(List<String> words) {
        List<String> texts = new ArrayList<>();
        for (String word : words) {
            Matcher matcher = SSH_COMMAND.matcher(word);
            if (matcher.find()) {
                texts.add(word.substring(matcher.end()));
            }
        }
        return texts;
    }

    /** Of {@code -c NAME=VALUE}, where the name is one whose value git runs. */
    private static List<String> gitSettings(List<String> words) {
        List<String> texts = new ArrayList<>();
        for (String word : words) {
            Matcher matcher = GIT_COMMAND.matcher(word);
            if (matcher.find()) {
                boolean alias = matcher.group(2).toLowerCase(Locale.ROOT).startsWith("alias");
                boolean verb = alias && !matcher.group().endsWith("!");
                texts.add((verb ? "git " : "") + word.substring(matcher.end()));
            }
        }
        return texts;
    }

    private static List<String> tarTexts(List<String> words) {
        List<String> texts = new ArrayList<>(values(words, 'I', "--use-compress-program"));
        texts.addAll(values(words, 'F', "--info-script"));
        texts.addAll(behind(words, "--to-command=", "--checkpoint-action=exec=", "--rsh-command="));
        return texts;
    }

    private static List<String> gitTexts(List<String> words) {
        List<String> texts = new ArrayList<>(gitSettings(words));
        int key = words.contains("config") ? words.indexOf("config") + 1 : words.size();
        for (int i = key; i + 1 < words.size(); i++) {
            if (GIT_COMMAND.matcher(words.get(i) + "=").find()) { // git config alias.x VALUE
                texts.addAll(gitSettings(List.of(words.get(i) + "=" + words.get(i + 1))));
            }
        }
        int at = gitText(words);
        if (words.contains("for-each-repo")) {
            texts.add("git " + String.join(" ", words.subList(1, words.size())));
        } else if (words.contains("filter-branch")) {
            words.stream().filter(word -> word.indexOf(' ') > 0).forEach(texts::add);
        } else if (at > 0 && at < words.size()) {
            List<String> rest = words.subList(at, words.size());
            texts.add(String.join(" ", rest));
            texts.add(String.join(" ", rest.stream().map(InlineCode::quoted).toList()));
        } else if (words.contains("rebase")) {
            texts.addAll(values(words, 'x', "--exec"));
        } else if (words.contains("difftool") || words.contains("mergetool")) {
            texts.addAll(values(words, 'x', "--extcmd"));
        }
        return texts;
    }

    private static String quoted(String word) {
        return word.indexOf(' ') < 0 ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static List<String> databaseTexts(List<String> words) {
        List<String> texts = new ArrayList<>();
        for (String word : words) {
            Matcher matcher = DATABASE_SHELL.matcher(word);
            while (matcher.find()) {
                texts.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
            }
        }
        return texts;
    }

    /** What follows one of these in a word, wherever it stands there. */
    private static List<String> behind(List<String> words, String... marks) {
        List<String> texts = new ArrayList<>();
        for (String word : words) {
            for (String mark : marks) {
                int at = word.indexOf(mark);
                if (at >= 0) {
                    texts.add(word.substring(at + mark.length()));
                }
            }
        }
        return texts;
    }

    /** Values of an option: in the next word, or behind the letter or an equals sign. */
    private static List<String> values(List<String> words, char letter, String name) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean shorts = word.startsWith("-") && !word.startsWith("--");
            int at = shorts ? word.indexOf(letter) : -1;
            int equals = word.indexOf('=');
            if (equals >= LEAST_PREFIX && name.startsWith(word.substring(0, equals))) {
                texts.add(word.substring(equals + 1));
            } else if (at > 0 && at < word.length() - 1) {
                texts.add(word.substring(at + 1));
            } else if ((at > 0 || word.equals(name)) && i + 1 < words.size()) {
                texts.add(words.get(i + 1));
            }
        }
        return texts;
    }

    /** Flags of one dash, where the letter may stand among others. */
    private static boolean hasLetter(List<String> words, char letter) {
        return words.stream()
                .anyMatch(word ->
                        word.startsWith("-") && !word.startsWith("--") && word.indexOf(letter) > 0);
    }

    private static boolean isGitRunner(List<String> words) {
        return setsConfiguration(words)
                || isOtherVerb(words)
                || words.contains("mergetool")
                || words.contains("difftool")
                || words.contains("clone") && hasLetter(words, 'u')
                || words.stream().anyMatch(word -> word.startsWith("--templ"))
                || words.stream().anyMatch(word -> word.startsWith("--config-env"))
                || words.stream().anyMatch(word -> word.startsWith("--upload-pack"))
                || words.stream().anyMatch(word -> word.startsWith("--exec"))
                || words.stream().anyMatch(word -> word.startsWith("ext::"))
                || words.contains("grep") && words.stream().anyMatch(InlineCode::isPager)
                || words.contains("rebase") && hasLetter(words, 'x')
                || gitText(words) > 0;
    }

    private static boolean isPager(String word) {
        return Subcommand.isFlag(word, 'O') || word.startsWith("--open");
    }

    /** {@code git -c name=value}: many names are those of programs. */
    private static boolean setsConfiguration(List<String> words) {
        int at = 0;
        while (at < words.size() && words.get(at).startsWith("-")) {
            if (words.get(at).startsWith("-c")) {
                return true;
            }
            at += words.get(at).equals("-C") ? 2 : 1;
        }
        return false;
    }

    private static int gitText(List<String> words) {
        if (words.contains("bisect") && words.contains("run")) {
            return words.indexOf("run") + 1;
        }
        if (words.contains("foreach")) {
            return words.indexOf("foreach") + 1;
        }
        return 0;
    }

    private static boolean isTarRunner(String word) {
        return word.startsWith("--to-c")
                || word.startsWith("--checkpoint-a")
                || word.startsWith("--use-c")
                || word.startsWith("-I")
                || word.startsWith("--rsh");
    }

    private static boolean isAwkRunner(String word) {
        return word.contains("system")
                || word.contains("getline")
                || word.indexOf('|') >= 0
                || word.indexOf('>') >= 0
                || word.indexOf('@') >= 0;
    }
}
