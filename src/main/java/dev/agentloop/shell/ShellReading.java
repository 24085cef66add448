package dev.agentloop.shell;

import dev.agentloop.shell.parse.SimpleCommand;
import java.util.List;

/** One parse of a command line. Whatever two shells could read differently is not clear. */
public sealed interface ShellReading {
    /** Everything was understood; no other program than these is started. */
    record Clear(List<SimpleCommand> commands) implements ShellReading {}

    /**
     * Something runs that cannot be known before it does.
     *
     * @param seen what was recognised all the same, for rules that deny
     */
    record Unclear(String reason, List<SimpleCommand> seen) implements ShellReading {}

    /**
     * Too large to be looked through: it has to be denied, as a question would hide what it does.
     */
    record TooComplex(String reason) implements ShellReading {}

    /**
     * The commands that were recognised, in the order of the line; wrapped ones follow at the end.
     */
    default List<SimpleCommand> commands() {
        return switch (this) {
            case Clear clear -> clear.commands;
            case Unclear unclear -> unclear.seen;
            case TooComplex tooComplex -> List.of();
        };
    }
}
