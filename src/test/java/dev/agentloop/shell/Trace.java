package dev.agentloop.shell;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What strace wrote: each program that was started, and by which of the lines. */
final class Trace {
    private static final Pattern EXEC = Pattern.compile("^(\\d+) +execve\\((.*)$");
    private static final Pattern STRING = Pattern.compile("\"((?:\\\\x[0-9a-f]{2})*)\"");
    private static final Pattern CHILD =
            Pattern.compile("^(\\d+) +(?:<\\.\\.\\. )?(?:clone3?|v?fork)\\b.*= (\\d+)$");
    private static final String MARK = "mark-";

    private final Map<Integer, Integer> parents = new HashMap<>();
    private final Map<Integer, Integer> lineOfProcess = new HashMap<>();

    private Trace() {}

    /** For each line the arguments of the programs it started, the program first. */
    static List<List<List<String>>> started(List<String> trace, int lines) {
        return new Trace().read(trace, lines);
    }

    private List<List<List<String>>> read(List<String> trace, int lines) {
        List<List<List<String>>> started = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            started.add(new ArrayList<>());
        }
        for (String entry : trace) {
            Matcher child = CHILD.matcher(entry);
            if (child.matches()) {
                parents.put(Integer.valueOf(child.group(2)), Integer.valueOf(child.group(1)));
            }
        }
        int marks = 0;
        for (String entry : trace) {
            Matcher exec = EXEC.matcher(entry);
            if (!exec.matches()) {
                continue;
            }
            int process = Integer.parseInt(exec.group(1));
            List<String> words = strings(exec.group(2));
            List<String> arguments = words.subList(1, words.size());
            if (words.getFirst().contains("/mark/")) {
                String name = arguments.getLast();
                if (name.startsWith(MARK) && !name.endsWith(":")) {
                    lineOfProcess.put(process, Integer.valueOf(name.substring(MARK.length())));
                    marks++;
                }
            } else if (line(process) >= 0) {
                started.get(line(process)).add(arguments);
            }
        }
        if (marks != 2 * lines) {
            throw new IllegalStateException(marks + " shells were started for " + lines + " lines");
        }
        return started;
    }

    /** The line whose shell is this process, or one of its ancestors; -1 if there is none. */
    private int line(int process) {
        Integer at = process;
        while (at != null && !lineOfProcess.containsKey(at)) {
            at = parents.get(at);
        }
        return at == null ? -1 : lineOfProcess.get(at);
    }

    private static List<String> strings(String text) {
        return STRING.matcher(text).results().map(Trace::plain).toList();
    }

    private static String plain(MatchResult string) {
        byte[] bytes = HexFormat.of().parseHex(string.group(1).replace("\\x", ""));
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
