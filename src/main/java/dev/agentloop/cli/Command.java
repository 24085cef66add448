package dev.agentloop.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One word after {@code agent}. Its specification is built only when the word is used. */
interface Command {
    /** Options and parameters, by hand: picocli's annotations cost 70 ms at each start. */
    CommandSpec spec();

    /** Does the work; returns the exit code. */
    int run(ParseResult arguments, Invocation invocation) throws Exception;
}
