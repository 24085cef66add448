package dev.agentloop.cli.command;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One word after {@code agent}. Its specification is built only when the word is used. */
public interface Command {
    /** Options and parameters, by hand: picocli's annotations cost 70 ms at each start. */
    CommandSpec spec();

    /** Tells that nothing came of its words, where JSON is wanted as one object; the exit code. */
    default int refuse(CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        return problem.report(invocation.streams(), format != OutputFormat.TEXT);
    }

    /**
     * Does the work; returns the exit code.
     *
     * @throws UsageException where the words make no sense
     * @throws dev.agentloop.config.source.ConfigException where a file that they need does not;
     *     like the first it leads to {@link #refuse}
     */
    int run(ParseResult arguments, Invocation invocation) throws Exception;
}
