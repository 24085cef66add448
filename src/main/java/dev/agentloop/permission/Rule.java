package dev.agentloop.permission;

import dev.agentloop.shell.CommandAnalysis;
import dev.agentloop.shell.ShellReading;
import dev.agentloop.shell.Spellings;
import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.tool.CaseFold;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One line of a policy: {@code Tool} or {@code Tool(pattern)}, e.g. {@code run_command(git
 * status*)} or {@code edit_file(src/**)}. In a pattern {@code *} stands for any characters but
 * {@code /} in paths, {@code **} for any characters; the tool's name may contain {@code *} too. For
 * URLs the pattern names a server, see {@link HostPattern}.
 *
 * <p>A line that holds shell operators is several commands: a rule that denies or asks looks at the
 * whole line and at each command in it, also behind {@code sudo}, {@code sh -c} and the like; rules
 * that allow must allow each command of a line that was understood to its end.
 */
public final class Rule {
    private static final Path ROOT = Path.of("/");

    private final String text;
    private final Verdict verdict;
    private final String toolPattern;
    private final String subjectPattern;
    private final String reason;

    private Rule(
            String text,
            Verdict verdict,
            String toolPattern,
            String subjectPattern,
            String reason) {
        this.text = text;
        this.verdict = verdict;
        this.toolPattern = toolPattern;
        this.subjectPattern = subjectPattern;
        this.reason = reason;
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
            return Optional.of(new Rule(trimmed, verdict, tool, "**", ""));
        }
        if (!trimmed.endsWith(")") || trimmed.length() == open + 2) {
            return Optional.empty();
        }
        String subject = trimmed.substring(open + 1, trimmed.length() - 1);
        return Optional.of(new Rule(trimmed, verdict, tool, subject, ""));
    }

    /** Name of the tool that it is about; may contain {@code *}. */
    public String tool() {
        return toolPattern;
    }

    Verdict verdict() {
        return verdict;
    }

    /** The same rule with words for the model and the person. */
    public Rule because(String reason) {
        return new Rule(text, verdict, toolPattern, subjectPattern, reason);
    }

    /** Why it holds, in one line. */
    String reason() {
        return reason.isEmpty() ? "the rule " + text + " says so" : reason;
    }

    /** Whether it speaks about a path, a command line or an address, by the name of its tool. */
    public boolean speaksAbout(String example) {
        if (toolPattern.equals("run_command") || toolPattern.equals("network")) {
            ShellReading reading = CommandAnalysis.of(example, ROOT, ROOT, ROOT).reading();
            return verdict != Verdict.ALLOW
                    ? restricts(example, reading)
                    : meansAll()
                            || reading instanceof ShellReading.Clear clear
                                    && clear.commands().stream().allMatch(this::allows);
        }
        if (toolPattern.startsWith("mcp__")) {
            return matchesText(example);
        }
        return toolPattern.equals("web_fetch") ? matchesUrl(example) : matchesPath(example);
    }

    /** Whether it says what, not only which tool. */
    boolean isNamed() {
        return !meansAll();
    }

    /**
     * Whether it denies a call of somebody else's tool.
     *
     * @param arguments as JSON text
     */
    public boolean denies(String tool, String arguments) {
        return verdict == Verdict.DENY && isAbout(tool) && matchesText(arguments);
    }

    /** Whether the rule speaks about a tool of this name. */
    boolean isAbout(String tool) {
        return Wildcard.matches(toolPattern, tool, false);
    }

    /**
     * Whether it speaks about a path, an address or a call of somebody else's tool.
     *
     * @param kind anything but a command
     */
    boolean matches(SubjectKind kind, String subject) {
        return switch (kind) {
            case URL -> matchesUrl(subject);
            case CALL -> matchesText(subject);
            case PATH, COMMAND -> matchesPath(subject);
        };
    }

    /**
     * Whether it speaks about a command line: a rule that allows about one part, see {@link
     * #allows}; one that asks or denies about the whole line and each part that was recognised.
     */
    boolean restricts(String line, ShellReading reading) {
        return meansAll()
                || CommandParts.of(line.replace("\\\n", "")).stream().anyMatch(this::matchesText)
                || reading.commands().stream().anyMatch(this::mayMean);
    }

    /** Whether the command, or what could become of it when it runs, is one that is spoken of. */
    private boolean mayMean(SimpleCommand command) {
        return matchesText(command.text())
                || Spellings.of(command).stream()
                        .anyMatch(one -> Wildcard.meets(subjectPattern, one, Spellings.ANYTHING));
    }

    /** Whether it allows this one command; what writes a file by a redirection never. */
    boolean allows(SimpleCommand command) {
        return meansAll()
                || command.redirects().stream().noneMatch(Rule::writesFile)
                        && matchesText(command.text());
    }

    private static boolean writesFile(Redirect redirect) {
        return redirect.isWriting() && !redirect.target().text().equals("/dev/null");
    }

    private boolean matchesText(String command) {
        return Wildcard.matches(subjectPattern, command, false);
    }

    /** What restricts holds for every spelling, what allows for its own: they may be one file. */
    private boolean matchesPath(String path) {
        return Wildcard.matches(subjectPattern, path, true)
                || verdict != Verdict.ALLOW
                        && Wildcard.matches(CaseFold.of(subjectPattern), CaseFold.of(path), true);
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
