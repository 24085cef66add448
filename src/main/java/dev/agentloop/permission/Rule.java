package dev.agentloop.permission;

import dev.agentloop.tool.CaseFold;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;
import java.util.Optional;

/**
 * One line of a policy: {@code Tool} or {@code Tool(pattern)}, e.g. {@code run_command(git
 * status*)} or {@code edit_file(src/**)}. In a pattern {@code *} stands for any characters but
 * {@code /} in paths, {@code **} for any characters; the tool's name may contain {@code *} too. For
 * URLs the pattern names a server, see {@link HostPattern}.
 *
 * <p>A command that holds shell operators is several commands: a rule that denies looks at each
 * part, a rule that allows or asks never matches it unless it matches every command.
 */
public final class Rule {
    private final String text;
    private final Verdict verdict;
    private final String toolPattern;
    private final String subjectPattern;

    private Rule(String text, Verdict verdict, String toolPattern, String subjectPattern) {
        this.text = text;
        this.verdict = verdict;
        this.toolPattern = toolPattern;
        this.subjectPattern = subjectPattern;
    }

    /** Parses a rule; empty when {@code text} has not the form of one. */
    public static Optional<Rule> parse(String text, Verdict verdict) {
        String trimmed = text.strip();
        int open = trimmed.indexOf('(');
        String tool = open < 0 ? trimmed : trimmed.substring(0, open).strip();
        if (tool.isEmpty() || !tool.chars().allMatch(Rule::mayNameATool)) {
            return Optional.empty();
        }
        if (open < 0) {
            return Optional.of(new Rule(trimmed, verdict, tool, "**"));
        }
        if (!trimmed.endsWith(")") || trimmed.length() == open + 2) {
            return Optional.empty();
        }
        String subject = trimmed.substring(open + 1, trimmed.length() - 1);
        return Optional.of(new Rule(trimmed, verdict, tool, subject));
    }

    /** What the rule says about a call; empty when it does not speak about it. */
    Optional<Decision> decide(String tool, SubjectKind kind, String subject) {
        if (!Wildcard.matches(toolPattern, tool, false)) {
            return Optional.empty();
        }
        boolean matches =
                switch (kind) {
                    case PATH -> matchesPath(subject);
                    case COMMAND -> matchesCommand(subject);
                    case URL -> matchesUrl(subject);
                };
        return matches
                ? Optional.of(new Decision(verdict, text, "the rule " + text + " says so"))
                : Optional.empty();
    }

    /** What restricts holds for every spelling, what allows for its own: they may be one file. */
    private boolean matchesPath(String path) {
        return Wildcard.matches(subjectPattern, path, true)
                || verdict != Verdict.ALLOW
                        && Wildcard.matches(CaseFold.of(subjectPattern), CaseFold.of(path), true);
    }

    private boolean matchesCommand(String command) {
        if (meansAll()) {
            return true;
        }
        if (verdict == Verdict.DENY) {
            return CommandParts.of(command).stream()
                    .anyMatch(part -> Wildcard.matches(subjectPattern, part, false));
        }
        return CommandParts.isPlain(command)
                && Wildcard.matches(subjectPattern, command.strip(), false);
    }

    /** A rule that denies a server denies all below its name; others mean it alone. */
    private boolean matchesUrl(String url) {
        return meansAll()
                || HostPattern.parse(subjectPattern)
                        .map(hosts ->
                                verdict == Verdict.DENY ? hosts.touches(url) : hosts.matches(url))
                        .orElse(verdict == Verdict.DENY); // unreadable: the stricter reading
    }

    private boolean meansAll() {
        return subjectPattern.equals("*") || subjectPattern.equals("**");
    }

    private static boolean mayNameATool(int c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '*';
    }

    @Override
    public String toString() {
        return text;
    }
}
