package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What git starts because its words say so: settings, verbs, and transports. */
final class GitCode {
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

    /** Verbs that start a program of the words or of the settings, or are one of somebody else. */
    private static final Set<String> STARTING =
            Set.of(
                    ("merge-index mergetool difftool instaweb gui citool send-email imap-send"
                                    + " filter-branch for-each-repo svn p4 annex flow town crypt"
                                    + " secret absorb review")
                            .split(" "));

    private static final Set<String> STRATEGIES =
            Set.of("ort", "recursive", "resolve", "octopus", "ours", "subtree");

    /** {@code NAME.KEY=VALUE}: whatever key it is, the value may be run. */
    private static final Pattern SETTING =
            Pattern.compile("(?:-c|--conf\\w*=)?[A-Za-z][\\w-]*\\.[^=\\s]*=!?(.*)");

    /** {@code ext::COMMAND}: another program speaks to the repository. */
    private static final Pattern HELPER = Pattern.compile("(?:^|=)[a-z][a-z0-9+.-]*::(?=\\S)");

    /** Keys under which programs, or files with further settings, are named. */
    private static final Pattern KEY =
            Pattern.compile(
                    "(?i)(include|includeif|protocol|url|submodule|remote)\\..*\\.?"
                            + "(path|allow|insteadof|pushinsteadof|update|vcs|uploadpack|receivepack)"
                            + "|core\\.(attributesfile|gitproxy|askpass|worktree)");

    private GitCode() {}

    /** Whether git is told to do what it does not do itself: an alias may be anything. */
    static boolean isOtherVerb(List<String> words) {
        boolean asks = words.stream().allMatch(word -> word.startsWith("-"));
        return !asks
                && Subcommand.readings("git", words).stream()
                        .noneMatch(reading -> GIT_VERBS.contains(reading.verb()));
    }

    private static boolean isStartingVerb(List<String> words) {
        boolean starts =
                Subcommand.readings("git", words).stream()
                        .anyMatch(reading -> STARTING.contains(reading.verb()));
        Subcommand usual = Subcommand.of("git", words);
        return starts
                || usual.is("maintenance", "start")
                || usual.is("maintenance", "register")
                || usual.is("lfs", "install")
                || usual.is("lfs", "update");
    }

    private static boolean setsProtocol(List<String> words) {
        boolean config = Subcommand.of("git", words).verb().equals("config");
        return config && words.stream().anyMatch(word -> KEY.matcher(word).matches());
    }

    private static boolean isFiltering(String word) {
        return word.startsWith("--fil") || word.startsWith("--textc");
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
            } else {
                Matcher setting = SETTING.matcher(word);
                if (setting.matches()) {
                    texts.add(setting.group(1));
                }
            }
        }
        return texts;
    }

    static List<String> texts(List<String> words) {
        List<String> texts = new ArrayList<>(gitSettings(words));
        for (String word : words) {
            Matcher helper = HELPER.matcher(word);
            if (helper.find()) {
                texts.add(word.substring(helper.end()));
            }
        }
        if (words.contains("clone") || words.contains("ls-remote")) {
            texts.addAll(InlineCode.values(words, 'u', "--upload-pack"));
        }
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
            words.stream()
                    .filter(word -> word.indexOf(' ') > 0)
                    .map(word -> word.substring(word.startsWith("-") ? word.indexOf('=') + 1 : 0))
                    .forEach(texts::add);
        } else if (words.contains("merge-index")) {
            texts.addAll(words.subList(words.indexOf("merge-index") + 1, words.size()));
        } else if (at > 0 && at < words.size()) {
            List<String> rest = words.subList(at, words.size());
            texts.add(String.join(" ", rest));
            texts.add(String.join(" ", rest.stream().map(GitCode::quoted).toList()));
        } else if (words.contains("rebase")) {
            texts.addAll(InlineCode.values(words, 'x', "--exec"));
        } else if (words.contains("difftool") || words.contains("mergetool")) {
            texts.addAll(InlineCode.values(words, 'x', "--extcmd"));
        }
        return texts;
    }

    private static String quoted(String word) {
        return word.indexOf(' ') < 0 ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    static boolean runs(List<String> words) {
        return setsConfiguration(words)
                || isOtherVerb(words)
                || isStartingVerb(words)
                || setsProtocol(words)
                || words.stream().anyMatch(word -> HELPER.matcher(word).find())
                || words.contains("ls-remote") && InlineCode.hasLetter(words, 'u')
                || words.contains("help") && InlineCode.hasLetter(words, 'w')
                || words.contains("cat-file") && words.stream().anyMatch(GitCode::isFiltering)
                || words.contains("clone") && InlineCode.hasLetter(words, 'u')
                || hasOtherStrategy(words)
                || words.stream().anyMatch(word -> word.startsWith("--templ"))
                || words.stream().anyMatch(word -> word.startsWith("--config-env"))
                || words.stream().anyMatch(word -> word.startsWith("--upload-pack"))
                || words.stream().anyMatch(word -> word.startsWith("--exec"))
                || words.contains("grep") && words.stream().anyMatch(GitCode::isPager)
                || words.contains("rebase") && InlineCode.hasLetter(words, 'x')
                || gitText(words) > 0;
    }

    /** {@code git merge -s x} starts {@code git-merge-x}, from wherever PATH has it. */
    private static boolean hasOtherStrategy(List<String> words) {
        boolean letter = words.stream().anyMatch(Set.of("merge", "pull", "rebase")::contains);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            boolean shortened = letter && word.startsWith("-s");
            boolean named = word.matches("--(str|stra|strat|strate|strateg|strategy)(=.*)?");
            boolean next = shortened ? word.length() == 2 : named && equals < 0;
            String value =
                    next && i + 1 < words.size()
                            ? words.get(i + 1)
                            : word.substring(shortened ? 2 : equals + 1);
            if ((shortened || named) && !STRATEGIES.contains(value)) {
                return true;
            }
        }
        return false;
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
}
