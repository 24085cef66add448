package dev.agentloop.cli;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One word after {@code agent}. Its specification is built only when the word is used. */
interface Command {
    /** Options and parameters, by hand: picocli's annotations cost 70 ms at each start. */
    CommandSpec spec();

    /** Refuses words that cannot be parsed, if it has its own JSON for that; the exit code. */
    default OptionalInt refuse(String problem, List<String> words, Invocation invocation)
            throws IOException {
        return OptionalInt.empty();
    }

    /** Does the work; returns the exit code. */
    int run(ParseResult arguments, Invocation invocation) throws Exception;
}
