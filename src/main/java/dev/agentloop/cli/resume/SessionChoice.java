package dev.agentloop.cli.resume;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** Which session a run belongs to. */
public sealed interface SessionChoice {
    /**
     * A new one, or none at all.
     *
     * @param trustIsAsked whether this process has asked about the workspace already
     */
    record Fresh(boolean kept, boolean trustIsAsked) implements SessionChoice {}

    /** The newest of this workspace. */
    record Last() implements SessionChoice {}

    /**
     * One by its id.
     *
     * @param firstWordIsId whether the id is the first word of the command line
     */
    record ById(String id, boolean firstWordIsId) implements SessionChoice {}

    /** One by its id, of which this process has just had a run. */
    record NextRun(String id) implements SessionChoice {}

    /**
     * One by its id, whose history is only to be made shorter.
     *
     * @param trustIsAsked whether this process has asked about the workspace already
     */
    record ToCompact(String id, boolean trustIsAsked) implements SessionChoice {}

    /** {@code resume} without an id. */
    record Missing() implements SessionChoice {}

    /**
     * Two wishes that cannot both be met.
     *
     * @param problem says what to do
     */
    record Contradiction(String problem) implements SessionChoice {}

    /** Whether this process has asked about the workspace already. */
    default boolean trustIsAsked() {
        return this instanceof NextRun;
    }

    static SessionChoice ofRun(ParseResult arguments) {
        boolean named = RunOption.SESSION.isGiven(arguments);
        boolean newest = RunOption.CONTINUE.isGiven(arguments);
        if (named && newest) {
            return contradiction("--session", "--continue");
        }
        if ((named || newest) && RunOption.NO_SESSION.isGiven(arguments)) {
            return contradiction(named ? "--session" : "--continue", "--no-session");
        }
        if (RunOption.SESSION.isGiven(arguments)) {
            return new ById(RunOption.SESSION.text(arguments), false);
        }
        if (RunOption.CONTINUE.isGiven(arguments)) {
            return new Last();
        }
        return new Fresh(!RunOption.NO_SESSION.isGiven(arguments), false);
    }

    static SessionChoice ofResume(ParseResult arguments) {
        boolean newest = Specs.has(arguments, "--last");
        if (RunOption.SESSION.isGiven(arguments)
                && (newest || RunOption.CONTINUE.isGiven(arguments))) {
            return contradiction("--session", newest ? "--last" : "--continue");
        }
        if (RunOption.NO_SESSION.isGiven(arguments)) {
            return contradiction("resume", "--no-session");
        }
        if (newest || RunOption.CONTINUE.isGiven(arguments)) {
            return new Last();
        }
        if (RunOption.SESSION.isGiven(arguments)) {
            return new ById(RunOption.SESSION.text(arguments), false);
        }
        List<String> words = Specs.positional(arguments);
        return words.isEmpty() ? new Missing() : new ById(words.getFirst(), true);
    }

    private static SessionChoice contradiction(String one, String other) {
        return new Contradiction(
                one + " and " + other + " contradict each other. Leave one of them out.");
    }
}
