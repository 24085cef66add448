package dev.agentloop.verification;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
    private static final String DISPATCH = "dispatch_subagent"; // that agent's work is told
    private static final Set<String> OF_BACKGROUND =
            Set.of("command_output", "command_input", "stop_command");
    private static final Pattern RUNNING = Pattern.compile("^(b\\d+) is running");

    /** Numbers what happens in all agents, so that a check can be compared with a change. */
    private static final AtomicLong ORDER = new AtomicLong();

    private final Map<String, Begun> background = new HashMap<>(); // by id

    /**
     * A command of which the model was told that it runs or has run, until its end is known.
     *
     * @param at its number in {@link #ORDER}
     * @param failed whether a piece of its output said so: results only have the newest piece
     */
    private record Begun(String line, long at, boolean failed) {
        static Begun of(ToolCall call, long at) {
            return new Begun(argument(call, "command"), at, false);
        }

        Begun and(String output) {
            return new Begun(line, at, failed || CheckOutput.hasFailure(output));
        }
    }

    private final CommandChanges commandChanges = new CommandChanges();
    private final Map<String, Long> begun = new HashMap<>(); // calls, in the order of ORDER
    private CheckedProject project = CheckedProject.NONE;
    private CheckCommands known = CheckCommands.USUAL;
    private long changedAt; // 0: nothing was changed
    private long succeededAt; // the newest command
    private long verifiedAt; // the check of the verification
    private boolean asked;
    private String answer = "";
    private Verification last = Verification.NONE;

    /** Where the run works; before its first call. */
    public synchronized void in(CheckedProject where) {
        project = where;
        known = new CheckCommands(where.checkCommands());
        commandChanges.of(where.digest());
    }

    /** A call begins that changes something. */
    public synchronized void begins(ToolCall call, Effect effect) {
        long at = ORDER.incrementAndGet();
        begun.put(call.id(), at);
        if (effect == Effect.FILE || call.name().equals(DISPATCH)) {
            commandChanges.beforeOthers();
            return;
        }
        if (!call.name().equals(COMMAND)) {
            commandChanges.begins(at, false);
            return;
        }
        String line = argument(call, "command");
        CommandReach reach = CommandReach.of(line, known);
        boolean check = known.in(line).isPresent();
        if (reach.mayChange()) {
            commandChanges.begins(at, check && reach.mayChangeLast());
        }
        if (check) {
            commandChanges.checkBegins(at);
        }
    }

    /** The calls of one reply and their results, in order. */
    public void note(List<ToolCall> calls, List<Message.Tool> results) {
        number(calls);
        for (Message.Tool result : results) {
            calls.stream()
                    .filter(call -> call.id().equals(result.callId()))
                    .findFirst()
                    .ifPresent(call -> note(call, result.result()));
        }
    }

    /** Calls that ran side by side count in the order of the reply, whichever began first. */
    private synchronized void number(List<ToolCall> calls) {
        List<String> ids = calls.stream().map(ToolCall::id).filter(begun::containsKey).toList();
        List<Long> numbers = ids.stream().map(begun::get).sorted().toList();
        for (int i = 0; i < ids.size(); i++) {
            begun.put(ids.get(i), numbers.get(i));
        }
    }

    private synchronized void note(ToolCall call, ToolResult result) {
        Long number = begun.remove(call.id());
        long at = number == null ? ORDER.incrementAndGet() : number;
        for (FileChange change : result.changes()) {
            changed(change.path(), at);
        }
        Matcher running = RUNNING.matcher(result.text());
        if (call.name().equals(COMMAND) && result.exitCode().isEmpty() && running.find()) {
            background.put(running.group(1), Begun.of(call, at).and(result.text()));
        } else if (call.name().equals(COMMAND)) {
            command(Begun.of(call, at), result);
        } else if (OF_BACKGROUND.contains(call.name())) {
            String id = argument(call, "id");
            background.computeIfPresent(id, (_, begun) -> begun.and(result.text()));
            if (result.exitCode().isPresent()) {
                ended(id, result);
            }
        }
    }

    /** A file was changed by whatever way. */
    synchronized void changed(String path) {
        changed(path, ORDER.incrementAndGet());
    }

    private void changed(String path, long at) {
        if (!ProjectFiles.isDocument(path)) {
            changedAt(at);
        }
    }

    private void changedAt(long at) {
        changedAt = Math.max(changedAt, at);
        answer = "";
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
        other.settle();
        long itsChange;
        long itsSuccess;
        long itsCheck;
        Verification said;
        List<CommandChanges.Look> its;
        synchronized (other) {
            itsChange = other.changedAt;
            itsSuccess = other.succeededAt;
            itsCheck = other.verifiedAt;
            said = other.last;
            its = other.commandChanges.looks();
        }
        synchronized (this) {
            if (itsChange > 0) {
                changedAt(itsChange);
            }
            succeededAt = Math.max(succeededAt, itsSuccess);
            if (itsCheck > verifiedAt && itsCheck > changedAt) {
                commandChanges.covered(itsCheck + 1, goesOn());
                verify(said, itsCheck);
            }
            commandChanges.adopt(its, verifiedAt);
        }
    }

    private void verify(Verification found, long at) {
        last = found;
        verifiedAt = at;
    }

    /**
     * Looks for what no result has told so far: checks that have ended in the background, and files
     * that commands changed. For the end of a run.
     */
    public synchronized void settle() {
        take(look());
    }

    /**
     * What {@link #settle} has found.
     *
     * @param changed whether commands changed files that no check has looked at since
     * @param ended commands of the background, by their ids, that nobody had asked about
     */
    public record Found(boolean changed, List<Message.Tool> ended) {
        public static final Found NOTHING = new Found(false, List.of());
    }

    /** The first half of {@link #settle}: nothing is believed yet. */
    public synchronized Found look() {
        List<Message.Tool> ended = new ArrayList<>();
        for (String id : background.keySet()) {
            project.ended().apply(id).ifPresent(end -> ended.add(new Message.Tool(id, end)));
        }
        return new Found(commandChanges.found(ended.size() < background.size()), ended);
    }

    /** The second half, also with what was found in a recorded run. */
    public synchronized void take(Found found) {
        found.ended().forEach(end -> ended(end.callId(), end.result()));
        if (found.changed()) {
            changedAt(ORDER.incrementAndGet());
        }
    }

    /** Whether a command runs in the background that may change files. */
    private boolean goesOn() {
        return background.keySet().stream().anyMatch(id -> project.ended().apply(id).isEmpty());
    }

    private void ended(String id, ToolResult result) {
        Begun check = background.remove(id);
        if (check != null) {
            command(check.and(result.text()), result);
        }
    }

    /**
     * Whether files were changed after the last command that succeeded, or a check of them still
     * runs.
     */
    public synchronized boolean isUnchecked() {
        boolean running =
                background.values().stream()
                        .anyMatch(begun ->
                                begun.at() > changedAt && known.in(begun.line()).isPresent());
        return changedAt > succeededAt || changedAt > 0 && verifiedAt < changedAt && running;
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
        if (CheckOutput.isOfNothing(known.all(line), result.text(), succeeded)) {
            return;
        }
        Verification.State state =
                CheckOutput.state(line, known.all(line), begun.failed(), result.text(), succeeded);
        if (succeeded && state != Verification.State.FAILED) {
            succeededAt = Math.max(succeededAt, begun.at());
        }
        if (begun.at() < verifiedAt || begun.at() < changedAt) {
            return; // a newer check has said more, or an agent changed files while it ran
        }
        boolean more = CommandReach.of(line, known).mayChangeLast();
        commandChanges.covered(more ? begun.at() : begun.at() + 1, goesOn());
        verify(new Verification(state, line.strip().lines().findFirst().orElse("")), begun.at());
        answer = state == Verification.State.FAILED ? "" : answer; // "done" is no longer true
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
}
