package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Whether the addresses that a client of the web is given lead to this machine, all of them. */
final class LocalUrl {
    /** Letters of curl and wget that take a value which is no address. */
    private static final String WITH_VALUE = "XHdouFAebcwmTO";

    private static final Set<String> OPTIONS =
            Set.of(
                    ("--request --header --data --data-raw --data-binary --data-urlencode --json"
                                    + " --output --user --form --user-agent --referer --cookie"
                                    + " --max-time --connect-timeout --retry --cacert --upload-file"
                                    + " --write-out --method --body-data --body-file --post-data"
                                    + " --post-file --output-document")
                            .split(" "));

    private static final Set<String> BY_METHOD = Set.of("http", "https", "xh", "xhs", "httpie");
    private static final Pattern METHOD =
            Pattern.compile("(?i)GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS");
    private static final Pattern HERE =
            Pattern.compile("(.*\\.)?localhost|127(\\.[0-9]{1,3}){3}|0\\.0\\.0\\.0|\\[::1]");

    private LocalUrl() {}

    /** False as well if there is no address. */
    static boolean isLocal(String program, List<String> words) {
        List<String> urls = BY_METHOD.contains(program) ? behindMethod(words) : operands(words);
        return !urls.isEmpty() && urls.stream().allMatch(LocalUrl::isHere);
    }

    /** Without a method the address is the first word; behind an option it could be its value. */
    private static List<String> behindMethod(List<String> words) {
        for (int i = 0; i + 1 < words.size(); i++) {
            if (METHOD.matcher(words.get(i)).matches()) {
                return List.of(words.get(i + 1));
            }
        }
        return words.isEmpty() || words.getFirst().startsWith("-")
                ? List.of()
                : List.of(words.getFirst());
    }

    /** What is no option and no value of a known one; of options what looks like an address. */
    private static List<String> operands(List<String> words) {
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (OPTIONS.contains(word) || takesNext(word)) {
                i++;
            } else if (!word.startsWith("-")) {
                urls.add(word);
            } else if (word.contains("://")) {
                urls.add(word.substring(word.indexOf('=') + 1));
            }
        }
        return urls;
    }

    /** {@code -sX}: a letter with a value at the end of others without. */
    private static boolean takesNext(String word) {
        if (!word.startsWith("-") || word.startsWith("--") || word.length() < 2) {
            return false;
        }
        boolean before =
                word.chars()
                        .skip(1)
                        .limit(word.length() - 2)
                        .anyMatch(c -> WITH_VALUE.indexOf(c) >= 0);
        return !before && WITH_VALUE.indexOf(word.charAt(word.length() - 1)) >= 0;
    }

    private static boolean isHere(String url) {
        String rest = url.replaceFirst("^[a-zA-Z]+://", "");
        int end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String authority = rest.substring(0, end);
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        if (host.matches(":[0-9]*") && rest.equals(url)) {
            return true; // httpie's own way to write it
        }
        String name = host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
        return url.indexOf('\\') < 0 && HERE.matcher(name).matches();
    }
}
