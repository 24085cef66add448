package dev.agentloop.cli.command;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Options that commands take for the runs they start, and options of their own. */
public final class RunsCommand {
    private static final Set<RunOption> PASSED =
            RunOption.join(
                    RunOption.limitsBut(RunOption.BUDGET, RunOption.TIMEOUT),
                    RunOption.CONFIG,
                    RunOption.ADD_DIR,
                    RunOption.AGENT,
                    RunOption.MODEL,
                    RunOption.FALLBACK_MODEL,
                    RunOption.EFFORT,
                    RunOption.TEMPERATURE,
                    RunOption.BASE_URL,
                    RunOption.API_KEY_ENV,
                    RunOption.CONFIRM,
                    RunOption.YOLO,
                    RunOption.ALLOW,
                    RunOption.DENY,
                    RunOption.SANDBOX,
                    RunOption.ALLOW_DESTRUCTIVE,
                    RunOption.ALLOW_NET,
                    RunOption.MCP_CONFIG,
                    RunOption.NO_MCP,
                    RunOption.TRUST,
                    RunOption.SELF_EVAL,
                    RunOption.STRICT_DENIALS,
                    RunOption.APPEND_SYSTEM_PROMPT);

    private static final List<RunOption> FILES =
            List.of(RunOption.CONFIG, RunOption.MCP_CONFIG, RunOption.ADD_DIR);
    private static final long MOST_SECONDS = 7 * 24 * 3600L;

    private RunsCommand() {}

    /** What a command does with its words. */
    @FunctionalInterface
    public interface Work {
        int run(ParseResult arguments, Invocation invocation) throws Exception;
    }

    /** Tells that nothing was started, in the form of what is told of runs. */
    public static int refuse(
            String type, CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        int code = problem.exit().code();
        problem.tell(invocation.streams(), "agent");
        if (format != OutputFormat.TEXT) {
            RunsJson refused = RunsJson.result(type, code).with("error", problem.error());
            invocation.streams().print(refused.text());
        }
        return code;
    }

    public static void addTo(CommandSpec spec) {
        spec.addOption(RunOption.CWD.spec());
        RunOption.addTo(spec, PASSED);
        spec.addOption(Specs.flag("Print one JSON object at the end.", "--json"));
        spec.addOption(
                Specs.flag("No progress on standard error; errors are shown.", "-q", "--quiet"));
    }

    /** Words for each run: what the user gave, one word each. */
    public static List<String> words(ParseResult arguments, Invocation invocation) {
        return words(arguments, invocation, PASSED);
    }

    /** Of these options only, and for a process that begins in another folder than this one. */
    public static List<String> words(
            ParseResult arguments, Invocation invocation, Collection<RunOption> options) {
        return words(arguments, options).stream().map(word -> absolute(word, invocation)).toList();
    }

    private static String absolute(String word, Invocation invocation) {
        for (RunOption option : FILES) {
            String name = option.longName() + "=";
            if (word.startsWith(name)) {
                String file = word.substring(name.length());
                return name + invocation.currentDirectory().resolve(file);
            }
        }
        return word;
    }

    /** Of these options only, as they were given: for this process. */
    public static List<String> words(ParseResult arguments, Collection<RunOption> options) {
        List<String> words = new ArrayList<>();
        for (RunOption option : options) {
            if (option.isGiven(arguments)) {
                add(words, option, arguments);
            }
        }
        return words;
    }

    private static void add(List<String> words, RunOption option, ParseResult arguments) {
        String name = option.longName();
        if (option.spec().auxiliaryTypes()[0] == boolean.class) {
            boolean counted = option.spec().type().isArray();
            words.addAll(Collections.nCopies(counted ? option.count(arguments) : 1, name));
            return;
        }
        for (String value : option.texts(arguments)) {
            words.add(name + "=" + value);
        }
    }

    /** A positive amount of dollars; null if the option is not given. */
    public static @Nullable BigDecimal usd(ParseResult arguments, String option)
            throws UsageException {
        String text = Specs.text(arguments, option);
        if (text.isEmpty()) {
            return null;
        }
        try {
            BigDecimal usd = new BigDecimal(text);
            if (usd.signum() > 0 && usd.scale() < 10 && usd.precision() < 20) {
                return usd;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new UsageException(option + " " + text + " is no amount: write dollars, e.g. 2.50.");
    }

    /** A time such as {@code 90}, {@code 90s}, {@code 5m}, {@code 2h}; null if not given. */
    public static @Nullable Duration time(ParseResult arguments, String option)
            throws UsageException {
        String text = Specs.text(arguments, option);
        return text.isEmpty() ? null : time(option, text);
    }

    public static Duration time(String name, String text) throws UsageException {
        if (text.matches("[1-9]\\d{0,8}[smh]?")) {
            char unit = text.charAt(text.length() - 1);
            long number = Long.parseLong(text.replaceAll("[smh]", ""));
            long seconds = number * (unit == 'h' ? 3600 : unit == 'm' ? 60 : 1);
            if (seconds <= MOST_SECONDS) {
                return Duration.ofSeconds(seconds);
            }
        }
        throw new UsageException(
                name + " " + text + " is no time: write seconds, or 90s, 5m, 2h; at most 7 days.");
    }

    /** A number within bounds. */
    public static int number(ParseResult arguments, String option, int otherwise, int most)
            throws UsageException {
        String text = Specs.text(arguments, option);
        return text.isEmpty() ? otherwise : number(option, text, most);
    }

    public static int number(String name, String text, int most) throws UsageException {
        if (text.matches("[1-9]\\d{0,8}") && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        throw new UsageException(name + " " + text + " is not a number from 1 to " + most + ".");
    }
}
