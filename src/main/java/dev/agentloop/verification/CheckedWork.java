package dev.agentloop.verification;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows which files a run changes and which commands succeed after that.
 *
 * <p><b>Contract.</b> Safe from several threads: agents that work for the run change files, too.
 */
public final class CheckedWork {
    private static final String COMMAND = "run_command";
    private static final Set<String> OF_BACKGROUND =
            Set.of("command_output", "command_input", "stop_command");
    private static final Pattern RUNNING = Pattern.compile("^(b\\d+) is running");

    /** How it is said that a project has no such check: nothing was looked at. */
    private static final Pattern NOT_THERE =
            Pattern.compile(
                    "\\Aexit code: 127|No rule to make target '(?:test|check|lint)'\\."
                            + "|No targets specified and no makefile|[Mm]issing script: "
                            + "|Couldn't find a script named|^\\S*python\\S*: No module named ",
                    Pattern.MULTILINE);

    private static final Set<String> DOCUMENTS =
            Set.of("md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "txt", "tex", "po");
    private static final Set<String> PAPERS = // files without an ending
            Set.of("license", "licence", "notice", "authors", "changelog", "readme", "copying");

    /** How test runners and builds say that something is wrong. */
    private static final Pattern FAILED =
            Pattern.compile(
                    "(?i)\\b[1-9]\\d* (?:failed|failures?|errors?|failing)\\b|BUILD FAIL|^FAIL(?:ED)?\\b"
                            + "|^--- FAIL|test result: FAILED|^E  |^error(?:\\[|:)|: error:"
                            + "|Failures: [1-9]|Errors: [1-9]|^not ok |✗|Traceback \\(most recent",
                    Pattern.MULTILINE);

    /** How they say that nothing is. */
    private static final Pattern PASSED =
            Pattern.compile(
                    "(?i)\\b\\d+ (?:passed|passing)\\b|BUILD SUCCESS|^OK\\b|^ok \\s*\\S"
                            + "|test result: ok|\\b0 (?:failed|failures|errors)\\b"
                            + "|Failures: 0, Errors: 0|All checks passed|no issues found|^PASS\\b",
                    Pattern.MULTILINE);

    /** Numbers what happens in all agents, so that a check can be compared with a change. */
    private static final AtomicLong ORDER = new AtomicLong();

    private final Map<String, Begun> background = new HashMap<>(); // after the last change

    /**
     * A command of which the model was told that it runs or has run, until its end is known.
     *
     * @param at its number in {@link #ORDER}
     * @param failed whether a piece of its output said so: results only have the newest piece
     */
    private record Begun(String line, long at, boolean failed) {
        static Begun of(ToolCall call) {
            return new Begun(argument(call, "command"), ORDER.incrementAndGet(), false);
        }

        Begun and(String output) {
            return new Begun(line, at, failed || FAILED.matcher(output).find());
        }
    }

    private CheckCommands known = CheckCommands.USUAL;
    private long changedAt; // 0: nothing was changed
    private long succeededAt; // the newest command
    private long verifiedAt; // the check of the verification
    private boolean asked;
    private String answer = "";
    private Verification last = Verification.NONE;

    /** These commands are checks, too: the project's instructions name them. */
    public synchronized void know(List<String> commands) {
        known = new CheckCommands(commands);
    }

    /** The calls of one reply and their results, in order. */
    public void note(List<ToolCall> calls, List<Message.Tool> results) {
        for (Message.Tool result : results) {
            calls.stream()
                    .filter(call -> call.id().equals(result.callId()))
                    .findFirst()
                    .ifPresent(call -> note(call, result.result()));
        }
    }

    private synchronized void note(ToolCall call, ToolResult result) {
        for (FileChange change : result.changes()) {
            changed(change.path());
        }
        Matcher running = RUNNING.matcher(result.text());
        if (call.name().equals(COMMAND) && result.exitCode().isEmpty() && running.find()) {
            background.put(running.group(1), Begun.of(call).and(result.text()));
        } else if (call.name().equals(COMMAND)) {
            command(Begun.of(call), result);
        } else if (OF_BACKGROUND.contains(call.name())) {
            String id = argument(call, "id");
            background.computeIfPresent(id, (_, begun) -> begun.and(result.text()));
            Begun ended = result.exitCode().isPresent() ? background.remove(id) : null;
            if (ended != null) {
                command(ended, result);
            }
        }
    }

    /** A file was changed by whatever way. */
    synchronized void changed(String path) {
        if (!isDocument(path)) {
            changedAt(ORDER.incrementAndGet());
        }
    }

    private void changedAt(long at) {
        changedAt = Math.max(changedAt, at);
        answer = "";
        background.values().removeIf(begun -> begun.at() < changedAt);
        if (verifiedAt < changedAt) {
            last = Verification.NONE;
        }
    }

    /** A check of the program's own behind the last change. */
    public synchronized void checked(String name, boolean passed) {
        long now = ORDER.incrementAndGet();
        succeededAt = passed ? now : succeededAt;
        verify(new Verification(state(passed), name), now);
    }

    /**
     * What an agent that worked for this run has changed and checked. Its checks count for what was
     * changed before them, by whichever agent.
     */
    public void adopt(CheckedWork other) {
        long itsChange;
        long itsSuccess;
        long itsCheck;
        Verification said;
        synchronized (other) {
            itsChange = other.changedAt;
            itsSuccess = other.succeededAt;
            itsCheck = other.verifiedAt;
            said = other.last;
        }
        synchronized (this) {
            if (itsChange > 0) {
                changedAt(itsChange);
            }
            succeededAt = Math.max(succeededAt, itsSuccess);
            if (itsCheck > verifiedAt && itsCheck > changedAt) {
                verify(said, itsCheck);
            }
        }
    }

    private void verify(Verification found, long at) {
        last = found;
        verifiedAt = at;
    }

    /** Whether files were changed after the last command that succeeded. */
    public synchronized boolean isUnchecked() {
        return changedAt > succeededAt;
    }

    /**
     * True once: the model is asked to check its work.
     *
     * @param given its answer, which stands if a limit ends the run before it gives another
     */
    public synchronized boolean mayAsk(String given) {
        boolean first = !asked;
        asked = true;
        answer = first ? given : answer;
        return first;
    }

    /** The answer before the question, as long as no file was changed since; may be empty. */
    public synchronized String standingAnswer() {
        return answer;
    }

    public synchronized Verification verification() {
        return last;
    }

    private void command(Begun begun, ToolResult result) {
        String line = begun.line();
        boolean succeeded = result.exitCode().isPresent() && result.exitCode().getAsInt() == 0;
        Optional<CommandParts.Part> check = known.in(line);
        if (check.isEmpty() || result.exitCode().isEmpty()) {
            succeededAt = succeeded ? Math.max(succeededAt, begun.at()) : succeededAt;
            return;
        }
        if (!succeeded && isNotThere(result.text())) {
            return;
        }
        Verification.State state = state(check.get(), begun, result.text(), succeeded);
        if (succeeded && state != Verification.State.FAILED) {
            succeededAt = Math.max(succeededAt, begun.at());
        }
        if (begun.at() < verifiedAt) {
            return; // of the background, and a newer one has said more
        }
        verify(new Verification(state, line.strip().lines().findFirst().orElse("")), begun.at());
        answer = state == Verification.State.FAILED ? "" : answer; // "done" is no longer true
    }

    private static boolean isNotThere(String output) {
        return NOT_THERE.matcher(output).find() && !FAILED.matcher(output).find();
    }

    private static Verification.State state(
            CommandParts.Part check, Begun begun, String output, boolean succeeded) {
        if (check.decides()) {
            return state(succeeded);
        }
        return begun.failed() ? Verification.State.FAILED : said(output, succeeded);
    }

    /** The exit code is that of another program, as in {@code pytest | tail}. */
    private static Verification.State said(String output, boolean succeeded) {
        if (FAILED.matcher(output).find()) {
            return Verification.State.FAILED;
        }
        return succeeded && PASSED.matcher(output).find()
                ? Verification.State.PASSED
                : Verification.State.NONE;
    }

    private static Verification.State state(boolean passed) {
        return passed ? Verification.State.PASSED : Verification.State.FAILED;
    }

    private static String argument(ToolCall call, String name) {
        try {
            return Json.parse(call.arguments()).at(name).text();
        } catch (JsonException e) {
            return ""; // it was not run
        }
    }

    private static boolean isDocument(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? DOCUMENTS.contains(name.substring(dot + 1)) : PAPERS.contains(name);
    }
}
