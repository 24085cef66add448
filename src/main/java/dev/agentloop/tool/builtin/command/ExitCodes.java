package dev.agentloop.tool.builtin.command;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What exit codes of commands mean, in words. */
final class ExitCodes {
    private static final Map<Integer, String> SIGNALS =
            Map.ofEntries(
                    Map.entry(1, "SIGHUP"),
                    Map.entry(2, "SIGINT"),
                    Map.entry(3, "SIGQUIT"),
                    Map.entry(4, "SIGILL, illegal instruction"),
                    Map.entry(6, "SIGABRT, abort"),
                    Map.entry(7, "SIGBUS, bus error"),
                    Map.entry(8, "SIGFPE, arithmetic error"),
                    Map.entry(9, "SIGKILL, killed, perhaps out of memory"),
                    Map.entry(11, "SIGSEGV, segmentation fault"),
                    Map.entry(13, "SIGPIPE, its reader went away"),
                    Map.entry(14, "SIGALRM"),
                    Map.entry(15, "SIGTERM"),
                    Map.entry(24, "SIGXCPU, CPU limit"),
                    Map.entry(25, "SIGXFSZ, file size limit"));

    /** Programs that answer a question with 1: no match, or a difference. */
    private static final Set<String> ASK =
            Set.of(
                    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "diff", "cmp", "test", "[",
                    "pgrep");

    private static final Pattern NOT_FOUND =
            Pattern.compile(
                    "(?m)^(?:[^:\\n]*/)?\\w*sh: (?:(?:line )?\\d+: )?([^:\\n]+): .*not found$");
    private static final Pattern QUOTED =
            Pattern.compile("'[^']*+'|\"(?:\\\\.|[^\"\\\\])*+\"|\\\\.", Pattern.DOTALL);
    private static final Pattern SEPARATOR = Pattern.compile("&&|\\|\\||[|;&\\n]");

    private ExitCodes() {}

    /** Words for an exit code, or empty. */
    static String explain(int code, String stderr) {
        return switch (code) {
            case 126 -> "found but not executable";
            case 127 -> "command not found" + missing(stderr);
            default -> code > 128 && code < 193 ? "killed by signal " + signal(code - 128) : "";
        };
    }

    /** Whether 1 is an answer, not a failure: grep found nothing, diff found a difference. */
    static boolean isAnswer(String command, String stderr) {
        if (!stderr.isBlank()) {
            return false;
        }
        List<String> parts =
                SEPARATOR
                        .splitAsStream(QUOTED.matcher(command.strip()).replaceAll("x"))
                        .map(String::strip)
                        .toList();
        String last = parts.isEmpty() ? "" : parts.getLast();
        List<String> words = List.of(last.split("\\s+"));
        String program = words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
        if (program.equals("git") && words.size() > 1) {
            return words.get(1).equals("grep") || words.get(1).equals("diff");
        }
        return ASK.contains(program);
    }

    private static String signal(int number) {
        return SIGNALS.containsKey(number)
                ? number + " (" + SIGNALS.get(number) + ")"
                : "" + number;
    }

    /** Which one is only known if the shell says so. */
    private static String missing(String stderr) {
        Matcher matcher = NOT_FOUND.matcher(stderr);
        return matcher.find() ? ": " + matcher.group(1) : "";
    }
}
