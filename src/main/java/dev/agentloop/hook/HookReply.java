package dev.agentloop.hook;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.process.CommandOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads what a command has said: its exit code first, then, after exit code 0, the JSON object on
 * its standard output. What could be half an answer is none.
 */
final class HookReply {
    private static final int BLOCKED = 2;

    /** Ours, and those of Claude Code, so that its hooks can be used. */
    private static final Set<String> KNOWN =
            Set.of(
                    "decision",
                    "reason",
                    "arguments",
                    "context",
                    "message",
                    "system_prompt",
                    "continue",
                    "stopReason",
                    "suppressOutput",
                    "systemMessage",
                    "hookSpecificOutput");

    private static final Set<String> KNOWN_INSIDE =
            Set.of(
                    "hookEventName",
                    "permissionDecision",
                    "permissionDecisionReason",
                    "updatedInput",
                    "additionalContext");

    /** The command has failed, or what it printed cannot be understood. */
    static final class Unclear extends Exception {
        private static final long serialVersionUID = 1L;
        private final String reason;

        Unclear(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    private final HookPoint point;
    private final JsonValue said;
    private final JsonValue inside;

    private HookReply(HookPoint point, JsonValue said) {
        this.point = point;
        this.said = said;
        this.inside = said.at("hookSpecificOutput");
    }

    /** What the command of an ended process says; its exit code wins over what it printed. */
    static HookOutcome read(HookPoint point, CommandOutcome outcome) throws Unclear {
        String err = outcome.stderr().text().strip();
        String out = outcome.stdout().text().strip();
        int code = outcome.exitCode();
        if (code == BLOCKED) {
            return blocked(point, HookOutput.capped(err.isEmpty() ? plain(out) : err));
        }
        if (code != 0 && point == HookPoint.POST_TOOL) {
            return new HookOutcome.Continue(HookOutput.capped((plain(out) + "\n" + err).strip()));
        }
        if (code != 0) {
            throw new Unclear("exit code " + code + (err.isEmpty() ? "" : ", " + firstLine(err)));
        }
        if (outcome.stdout().leftOut() > 0) {
            throw new Unclear("it printed more than 1 MiB");
        }
        if (out.isEmpty()) {
            return HookOutcome.goOn();
        }
        return out.startsWith("{") || mustBeJson(point)
                ? new HookReply(point, parsed(out)).outcome()
                : words(point, HookOutput.capped(out));
    }

    /** Where words could be meant to stop something, only an object says what is meant. */
    private static boolean mustBeJson(HookPoint point) {
        return !(point.onFailure("", "") instanceof HookOutcome.Continue);
    }

    private static HookOutcome words(HookPoint point, String text) {
        return switch (point) {
            case SESSION_START, PROMPT_BUILD, POST_TOOL -> new HookOutcome.Continue(text);
            default -> HookOutcome.goOn(); // a log for people
        };
    }

    private static String plain(String out) {
        return out.startsWith("{") ? "" : out;
    }

    private static String firstLine(String text) {
        String first = text.lines().findFirst().orElse("");
        return first.length() <= 200 ? first : first.substring(0, 200) + "…";
    }

    private static JsonValue parsed(String out) throws Unclear {
        try {
            JsonValue value = Json.parse(out);
            if (value.isObject()) {
                return value;
            }
            throw new Unclear("it printed something other than a JSON object");
        } catch (JsonException e) {
            throw new Unclear("it printed something other than a JSON object: " + e.getMessage());
        }
    }

    /** What exit code 2 and the decision "deny" mean. */
    private static HookOutcome blocked(HookPoint point, String why) {
        String reason = why.isEmpty() ? "blocked by a hook" : why;
        return switch (point) {
            case PRE_TOOL -> new HookOutcome.Deny(reason);
            case AGENT_DONE -> new HookOutcome.Inject(reason);
            case POST_TOOL -> new HookOutcome.Continue(reason); // the call has happened
            case SESSION_START, ITERATION, PRE_LLM, POST_LLM, COMPACTION, STEP_END ->
                    new HookOutcome.Terminate(reason);
            case PROMPT_BUILD, POST_EDIT, ERROR, BUDGET_WARNING, SESSION_END -> HookOutcome.goOn();
        };
    }

    private HookOutcome outcome() throws Unclear {
        refuseUnknown(said, KNOWN, "");
        if (said.has("hookSpecificOutput")) {
            if (!inside.isObject()) {
                throw new Unclear("hookSpecificOutput is no object");
            }
            refuseUnknown(inside, KNOWN_INSIDE, "hookSpecificOutput.");
        }
        List<HookOutcome> outcomes = new ArrayList<>();
        addEnd(outcomes);
        addDecision(outcomes, text(said, "decision"), text(said, "reason"));
        addDecision(
                outcomes,
                text(inside, "permissionDecision"),
                text(inside, "permissionDecisionReason"));
        addChanges(outcomes);
        return outcomes.size() > 1 ? strictest(outcomes) : first(outcomes);
    }

    private HookOutcome first(List<HookOutcome> outcomes) throws Unclear {
        return outcomes.isEmpty() ? new HookOutcome.Continue(note()) : outcomes.getFirst();
    }

    /** Of two decisions the one that stops more; two that stop nothing cannot both be followed. */
    private static HookOutcome strictest(List<HookOutcome> outcomes) throws Unclear {
        for (Class<? extends HookOutcome> kind :
                List.of(
                        HookOutcome.Terminate.class,
                        HookOutcome.Deny.class,
                        HookOutcome.Skip.class)) {
            for (HookOutcome outcome : outcomes) {
                if (kind.isInstance(outcome)) {
                    return outcome;
                }
            }
        }
        throw new Unclear("it says two things at once; say one");
    }

    private void addEnd(List<HookOutcome> outcomes) throws Unclear {
        if (said.has("continue") && !(said.at("continue").raw() instanceof Boolean)) {
            throw new Unclear("continue is neither true nor false");
        }
        if (said.has("continue") && !said.at("continue").isTrue()) {
            String why = text(said, "stopReason");
            outcomes.add(new HookOutcome.Terminate(why.isEmpty() ? text(said, "reason") : why));
        }
    }

    private void addDecision(List<HookOutcome> outcomes, String decision, String why)
            throws Unclear {
        String reason = HookOutput.capped(why);
        switch (decision) {
            case "", "allow", "approve" -> {} // nothing that the policy would not say as well
            case "deny", "block" -> outcomes.add(blocked(point, reason));
            case "skip" -> outcomes.add(new HookOutcome.Skip(reason));
            case "ask" -> outcomes.add(new HookOutcome.Ask(reason));
            case "compact" -> outcomes.add(new HookOutcome.Compact());
            case "terminate" -> outcomes.add(new HookOutcome.Terminate(reason));
            default -> throw new Unclear("it decided \"" + firstLine(decision) + "\"");
        }
    }

    private void addChanges(List<HookOutcome> outcomes) throws Unclear {
        JsonValue arguments =
                said.has("arguments") ? said.at("arguments") : inside.at("updatedInput");
        if (arguments.isObject()) {
            outcomes.add(new HookOutcome.Rewrite(Json.text(arguments::writeTo), note()));
        } else if (said.has("arguments") || inside.has("updatedInput")) {
            throw new Unclear("the arguments it wrote are no object");
        }
        String message = text(said, "message");
        if (!message.isEmpty()) {
            outcomes.add(new HookOutcome.Inject(HookOutput.capped(message)));
        }
        String prompt = text(said, "system_prompt");
        if (!prompt.isEmpty()) {
            outcomes.add(new HookOutcome.Amend(prompt));
        }
    }

    private String note() throws Unclear {
        String ours = text(said, "context");
        return HookOutput.capped(ours.isEmpty() ? text(inside, "additionalContext") : ours);
    }

    private static String text(JsonValue object, String key) throws Unclear {
        JsonValue value = object.at(key);
        if (!value.isText() && !value.isNull()) {
            throw new Unclear(key + " is no text");
        }
        return value.text().strip();
    }

    /** A word that is misspelt must not become a yes. */
    private static void refuseUnknown(JsonValue object, Set<String> known, String where)
            throws Unclear {
        for (String key : object.keys()) {
            if (!known.contains(key)) {
                throw new Unclear("it printed the unknown key \"" + where + firstLine(key) + '"');
            }
        }
    }
}
