package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Scripts of {@code sed}, of which two commands run programs: {@code e}, and {@code s///e}. */
final class SedScript {
    private static final String ADDRESS = "(?:[0-9$~+]+|/(?:\\\\.|[^/\\\\])*/[IM]*|,|!|\\s)*";
    private static final Pattern HARMLESS =
            Pattern.compile(
                    "(?:[;{}\\s]*"
                            + ADDRESS
                            + "(?:[pdqDNPnGHhxg=QlzF][0-9]*(?=[;}\\s]|$)|[:bt]\\s*\\w*(?=[;}\\s]|$)"
                            + "|[aic]\\\\?[^\\n]*(?:\\\\\\n[^\\n]*)*(?:\\n|$)))*[;{}\\s]*");
    private static final Pattern RUN = Pattern.compile("(?:^|[;{}\\n0-9/$!\\s])e\\s+([^\\n]*)");

    /** {@code s/a/b/e}: what comes of the substitution is run. Never tries a place twice. */
    private static final Pattern RUN_RESULT =
            Pattern.compile(
                    "(?s)s([^\\w\\s\\\\])(?:\\\\.|(?!\\1)[^\\\\])*+\\1((?:\\\\.|(?!\\1)[^\\\\])*+)\\1"
                            + "[gpiImM0-9]*e");

    /** Letters up to one with a value; behind an {@code i} stands the end of a copy's name. */
    private static final Pattern WITH_VALUE = Pattern.compile("-[a-zA-Z&&[^efli]]*[efl]");

    private static final String OF_FILE = "e"; // what a file of commands says is not known

    private SedScript() {}

    /** What the scripts among the words may run; empty if they run nothing. */
    static List<String> runs(List<String> words) {
        List<String> found = new ArrayList<>();
        for (String script : scripts(words)) {
            String rest = withoutSubstitutions(script);
            if (!HARMLESS.matcher(rest).matches()) {
                Matcher run = RUN.matcher(rest);
                found.add(run.find() ? run.group(1) : "");
                RUN_RESULT.matcher(script).results().map(it -> it.group(2)).forEach(found::add);
            }
        }
        return found;
    }

    private static List<String> scripts(List<String> words) {
        List<String> scripts = new ArrayList<>();
        String first = null;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int value = startOfValue(word);
            boolean next = value == word.length();
            char option = value < 0 ? ' ' : word.charAt(word.startsWith("--") ? 2 : value - 1);
            if (option == 'e') {
                boolean last = next && i + 1 == words.size();
                scripts.add(last ? "" : next ? words.get(i + 1) : word.substring(value));
            } else if (option == 'f') {
                scripts.add(OF_FILE);
            } else if (!word.startsWith("-") && first == null) {
                first = word;
            }
            i += next ? 1 : 0;
        }
        return scripts.isEmpty() && first != null ? List.of(first) : scripts;
    }

    /**
     * Where the value begins of an option that has one, however it is shortened and among whatever
     * letters; behind the word if it is the next one, -1 if there is none.
     */
    private static int startOfValue(String word) {
        if (word.matches("(?s)--(e|fi|l).*")) {
            return word.indexOf('=') < 0 ? word.length() : word.indexOf('=') + 1;
        }
        Matcher letter = WITH_VALUE.matcher(word);
        return letter.lookingAt() ? letter.end() : -1;
    }

    /**
     * Takes out {@code s/a/b/gp} and {@code y/a/b/}, but not {@code s/a/b/e} and {@code s/a/b/w}.
     */
    private static String withoutSubstitutions(String script) {
        StringBuilder rest = new StringBuilder();
        int at = 0;
        while (at < script.length()) {
            char c = script.charAt(at);
            boolean begins = at == 0 || "; {}\n0123456789/$!\t".indexOf(script.charAt(at - 1)) >= 0;
            int end = begins && (c == 's' || c == 'y') ? end(script, at) : -1;
            if (end < 0) {
                rest.append(c);
                at++;
            } else {
                rest.append('p');
                at = end;
            }
        }
        return rest.toString();
    }

    /** Where a substitution with harmless flags ends; -1 if none begins here. */
    private static int end(String script, int start) {
        if (start + 1 >= script.length()) {
            return -1;
        }
        char delimiter = script.charAt(start + 1);
        if (Character.isLetterOrDigit(delimiter) || delimiter == '\\' || delimiter == '\n') {
            return -1;
        }
        int found = 0;
        int at = start + 2;
        for (; at < script.length() && found < 2; at++) {
            if (script.charAt(at) == '\\') {
                at++;
            } else if (script.charAt(at) == delimiter) {
                found++;
            }
        }
        while (at < script.length() && "gpiImM0123456789".indexOf(script.charAt(at)) >= 0) {
            at++;
        }
        boolean ends = at >= script.length() || ";} \n\t".indexOf(script.charAt(at)) >= 0;
        return found == 2 && ends ? at : -1;
    }
}
