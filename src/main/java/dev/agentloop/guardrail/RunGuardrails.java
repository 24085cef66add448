package dev.agentloop.guardrail;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.call.PreparedCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Counts what a run does and refuses what would be too much; looks at new lines before they are
 * written. Safe from several threads: what a call may use up is set aside before it runs.
 */
public final class RunGuardrails {
    private final ChangeLimits limits;
    private final List<CodeRule> codeRules;
    private final Set<String> files = new HashSet<>(); // real paths, changed or about to be
    private int lines;
    private int commands;
    private boolean acted;
    private boolean untested;

    public RunGuardrails(ChangeLimits limits, List<CodeRule> codeRules) {
        this.limits = limits;
        this.codeRules = List.copyOf(codeRules);
    }

    /** Nothing is limited. */
    public static RunGuardrails none() {
        return new RunGuardrails(ChangeLimits.NONE, List.of());
    }

    /**
     * Why a call must not run.
     *
     * @param rule the guardrail's key in the configuration
     */
    public record Refusal(String rule, String reason) {}

    /** Sets aside what the call uses up, or refuses it. A call that is let through must end. */
    public synchronized Optional<Refusal> begin(PreparedCall.Ready<?> ready) {
        Effect effect = ready.spec().effect();
        if (effect == Effect.PURE) {
            return Optional.empty();
        }
        if (effect == Effect.FILE) {
            return beginChange(ready);
        }
        boolean command = ready.tool().subjectKind() == SubjectKind.COMMAND;
        if (command && isReached(limits.commands(), commands)) {
            return refuse(
                    "max_commands_executed",
                    "the run may execute " + limits.commands().getAsInt() + " commands, and has");
        }
        commands += command ? 1 : 0;
        return Optional.empty();
    }

    private Optional<Refusal> beginChange(PreparedCall.Ready<?> ready) {
        for (String text : ready.newTexts()) {
            Optional<CodeRule> broken =
                    codeRules.stream()
                            .filter(rule -> rule.blocks() && rule.isBrokenBy(text))
                            .findFirst();
            if (broken.isPresent()) {
                return refuse("code_rules", broken.get().message());
            }
        }
        Set<String> both = new HashSet<>(files);
        both.addAll(ready.paths());
        if (limits.files().isPresent() && both.size() > limits.files().getAsInt()) {
            return refuse(
                    "max_files_modified",
                    "the run may change "
                            + limits.files().getAsInt()
                            + " files; those it has changed may still be edited");
        }
        int more = ready.newTexts().stream().mapToInt(text -> (int) text.lines().count()).sum();
        if (limits.lines().isPresent() && lines + more > limits.lines().getAsInt()) {
            return refuse(
                    "max_lines_changed",
                    "the run may change "
                            + limits.lines().getAsInt()
                            + " lines, has changed "
                            + lines
                            + ", and this would add "
                            + more);
        }
        files.addAll(ready.paths());
        return Optional.empty();
    }

    /** Counts what the call did; the texts are to be told to the model, below its result. */
    public synchronized List<String> end(PreparedCall.Ready<?> ready, ToolResult result) {
        Effect effect = ready.spec().effect();
        if (effect == Effect.PURE) {
            return List.of();
        }
        acted = true;
        for (FileChange change : result.changes()) {
            lines += change.added() + change.removed();
        }
        if (effect == Effect.FILE) {
            if (result.isError()) {
                return List.of();
            }
            untested = true;
            return warnings(ready);
        }
        boolean succeeded = result.exitCode().equals(OptionalInt.of(0));
        untested = untested && !succeeded;
        return List.of();
    }

    private List<String> warnings(PreparedCall.Ready<?> ready) {
        List<String> warnings = new ArrayList<>();
        for (CodeRule rule : codeRules) {
            if (!rule.blocks() && ready.newTexts().stream().anyMatch(rule::isBrokenBy)) {
                warnings.add("[Code rule: " + rule.message() + "]");
            }
        }
        return warnings;
    }

    /** Whether anything but reading was done. */
    public synchronized boolean hasActed() {
        return acted;
    }

    /** Whether a file was changed and no command has succeeded since. */
    public synchronized boolean isUntested() {
        return untested;
    }

    private static boolean isReached(OptionalInt limit, int used) {
        return limit.isPresent() && used >= limit.getAsInt();
    }

    private static Optional<Refusal> refuse(String name, String reason) {
        return Optional.of(new Refusal("guardrails." + name, reason));
    }
}
