package dev.agentloop.config.source;

import java.util.List;
import java.util.stream.Collectors;

/** The user's set-up is wrong. The message is for people: two lines for each problem. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient List<Problem> problems;

    /**
     * One thing that is wrong.
     *
     * @param key dotted path of the key; empty when the trouble is with the whole file
     * @param problem what is wrong, e.g. {@code "abc" is not a whole number}
     * @param remedy what to do about it
     * @param location {@code file:line}, an option or a variable; empty when there is none
     */
    public record Problem(String key, String problem, String remedy, String location) {
        public Problem {
            key = printable(key);
            problem = printable(problem);
        }

        /** A file may hold what a terminal would obey. */
        private static String printable(String text) {
            StringBuilder shown = new StringBuilder(text.length());
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                shown.append(Character.isISOControl(c) ? '?' : c);
            }
            return shown.toString();
        }

        /** Two lines: where and what, then what to do. */
        public String text() {
            String where = location.isEmpty() ? "" : location + ": ";
            boolean said = key.isEmpty() || location.equals(key) || location.startsWith("--");
            String what = said ? "" : key + ": "; // an option says it in the user's own words
            return where + what + problem + (remedy.isEmpty() ? "" : "\n  " + remedy);
        }
    }

    public ConfigException(String key, String problem, String remedy, String location) {
        this(List.of(new Problem(key, problem, remedy, location)));
    }

    /**
     * @param problems at least one, in the order of their places
     */
    public ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::text).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, as far as it was found. */
    public List<Problem> problems() {
        return problems;
    }
}
