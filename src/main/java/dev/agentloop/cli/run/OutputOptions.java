package dev.agentloop.cli.run;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.output.Level;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * How much a run shows, as far as the command line says. A broken wish is kept until the result can
 * be reported in the right format.
 */
public record OutputOptions(
        OutputFormat format,
        Level level,
        boolean stream,
        String logFormat,
        @Nullable UsageException problem) {
    private static final Set<String> LOG_FORMATS = Set.of("", "plain", "classic");

    public static OutputOptions of(ParseResult arguments) {
        UsageException problem = null;
        try {
            OutputFormat.of(arguments);
        } catch (UsageException e) {
            problem = e;
        }
        OutputFormat format = OutputFormat.wanted(arguments);
        String logFormat =
                RunOption.LOG_FORMAT.isGiven(arguments) ? RunOption.LOG_FORMAT.text(arguments) : "";
        if (!LOG_FORMATS.contains(logFormat) && problem == null) {
            problem = new UsageException("--log-format " + logFormat + ": give plain or classic.");
        }
        boolean stream = !RunOption.NO_STREAM.isGiven(arguments);
        return new OutputOptions(format, level(arguments), stream, logFormat, problem);
    }

    public void check() throws UsageException {
        if (problem != null) {
            throw problem;
        }
    }

    RunOutput.Wishes forOutput() {
        return new RunOutput.Wishes(format, level, stream, logFormat);
    }

    /** -v and -q win over --log-level; a wrong level is the configuration's error to report. */
    private static Level level(ParseResult arguments) {
        int verbose = RunOption.VERBOSE.count(arguments);
        if (verbose > 0) {
            return verbose == 1 ? Level.INFO : Level.DEBUG;
        }
        if (RunOption.QUIET.isGiven(arguments)) {
            return Level.ERROR;
        }
        Optional<Level> level = Level.parse(RunOption.LOG_LEVEL.text(arguments));
        return level.orElse(Level.HUMAN);
    }

    /** Exit code of a partial run. */
    static int exitCodeOnPartial(ParseResult arguments) throws UsageException {
        if (!RunOption.ON_PARTIAL.isGiven(arguments)) {
            return ExitCode.PARTIAL.code();
        }
        String text = RunOption.ON_PARTIAL.text(arguments);
        try {
            int code = Integer.parseInt(text);
            if (code >= 0 && code <= 255) {
                return code;
            }
        } catch (NumberFormatException e) {
            throw badCode(text);
        }
        throw badCode(text);
    }

    private static UsageException badCode(String text) {
        return new UsageException(
                "--exit-code-on-partial " + text + ": give a whole number from 0 to 255.");
    }
}
