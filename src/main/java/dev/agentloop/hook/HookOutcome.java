package dev.agentloop.hook;

/**
 * What a hook says. It can make a run stricter, never looser: there is no outcome that allows what
 * the policy denies or asks about.
 */
public sealed interface HookOutcome {
    /** Go on, without a word. */
    static HookOutcome goOn() {
        return new Continue("");
    }

    /**
     * Go on.
     *
     * @param note for the model, below a tool's result or in a message of its own; may be empty
     */
    record Continue(String note) implements HookOutcome {}

    /** The call is not run; the model reads why. It is no matter of permission. */
    record Skip(String reason) implements HookOutcome {}

    /** The call is not allowed; the model reads why, and it counts as a denial. */
    record Deny(String reason) implements HookOutcome {}

    /** A person must say yes to the call; without a terminal it is denied. */
    record Ask(String reason) implements HookOutcome {}

    /**
     * The call gets other arguments: they are validated and judged like the model's own.
     *
     * @param arguments a JSON object
     */
    record Rewrite(String arguments, String note) implements HookOutcome {}

    /** The model is told something, as a message of the user; at the end it goes on with it. */
    record Inject(String message) implements HookOutcome {}

    /** The history is made shorter now. */
    record Compact() implements HookOutcome {}

    /** Another system prompt. */
    record Amend(String systemPrompt) implements HookOutcome {}

    /** The run ends here, without another word of the model. */
    record Terminate(String reason) implements HookOutcome {}

    /** Its name in messages. */
    default String name() {
        return getClass().getSimpleName();
    }
}
