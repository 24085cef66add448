package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.replay.cassette.CassetteHeader;
import dev.agentloop.replay.cassette.Difference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine.ParseResult;

/** Which options go with a cassette, and which of them a replay must not change. */
public final class CassetteOptions {
    /** They decide how a run goes; a replay may repeat them, not change them. */
    private static final Set<RunOption> DECIDING =
            RunOption.join(
                    RunOption.limitsBut(RunOption.TIMEOUT, RunOption.STEP_TIMEOUT),
                    RunOption.ADD_DIR,
                    RunOption.AGENT,
                    RunOption.MODE,
                    RunOption.MODEL,
                    RunOption.FALLBACK_MODEL,
                    RunOption.EFFORT,
                    RunOption.TEMPERATURE,
                    RunOption.JSON_SCHEMA,
                    RunOption.IMAGE,
                    RunOption.BASE_URL,
                    RunOption.CONFIRM,
                    RunOption.YOLO,
                    RunOption.ALLOW,
                    RunOption.DENY,
                    RunOption.ALLOW_DESTRUCTIVE,
                    RunOption.ALLOW_NET,
                    RunOption.SELF_EVAL,
                    RunOption.PARALLEL,
                    RunOption.NO_PARALLEL,
                    RunOption.DRY_RUN,
                    RunOption.APPEND_SYSTEM_PROMPT);

    /** They speak of what a replay does not have. */
    private static final List<RunOption> WITHOUT_REPLAY =
            List.of(
                    RunOption.SESSION,
                    RunOption.CONTINUE,
                    RunOption.CONFIG,
                    RunOption.MCP_CONFIG,
                    RunOption.RULES_FROM,
                    RunOption.ADD_BUDGET);

    /** They speak of what a replay does not do, and may stand in the line that it repeats. */
    private static final List<RunOption> IDLE_IN_REPLAY =
            List.of(
                    RunOption.TIMEOUT,
                    RunOption.SANDBOX,
                    RunOption.LOG_FILE,
                    RunOption.NO_SESSION,
                    RunOption.TRUST);

    private CassetteOptions() {}

    /** Names of the given options that a replay has no use for. */
    public static List<String> idle(ParseResult arguments) {
        return IDLE_IN_REPLAY.stream()
                .filter(option -> option.isGiven(arguments))
                .map(CassetteOptions::name)
                .toList();
    }

    /** Refuses options that contradict each other. */
    public static void check(ParseResult arguments, boolean resumes) throws UsageException {
        contradict(arguments, RunOption.RECORD, RunOption.REPLAY);
        contradict(arguments, RunOption.RECORD, RunOption.REPLAY_MODEL);
        contradict(arguments, RunOption.REPLAY, RunOption.REPLAY_MODEL);
        for (RunOption replay : List.of(RunOption.REPLAY, RunOption.REPLAY_MODEL)) {
            if (!replay.isGiven(arguments)) {
                continue;
            }
            if (resumes) {
                throw new UsageException(
                        name(replay)
                                + " begins a run of its own: use it with agent run, without a"
                                + " session.");
            }
            contradict(arguments, replay, RunOption.SESSION);
            contradict(arguments, replay, RunOption.CONTINUE);
        }
        for (RunOption other : WITHOUT_REPLAY) {
            contradict(arguments, RunOption.REPLAY, other);
        }
    }

    private static void contradict(ParseResult arguments, RunOption one, RunOption other)
            throws UsageException {
        if (one.isGiven(arguments) && other.isGiven(arguments)) {
            throw new UsageException(
                    name(one) + " and " + name(other) + " contradict each other. Leave one out.");
        }
    }

    /** The options of a run that decide how it goes, by name. */
    static Map<String, List<String>> deciding(ParseResult arguments) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (RunOption option : DECIDING) {
            if (option.isGiven(arguments)) {
                given.put(name(option), texts(arguments, option));
            }
        }
        for (RunOption option : List.of(RunOption.STRICT_DENIALS, RunOption.ON_PARTIAL)) {
            if (option.isGiven(arguments)) {
                given.put(name(option), texts(arguments, option));
            }
        }
        return given;
    }

    /** The first option of a replay that was another when the run was recorded. */
    public static Optional<Difference> difference(
            ParseResult arguments, CassetteHeader header, UnaryOperator<String> mask) {
        for (RunOption option : DECIDING) {
            List<String> recorded = header.options().getOrDefault(name(option), List.of());
            List<String> given =
                    option.isGiven(arguments)
                            ? texts(arguments, option).stream().map(mask).toList()
                            : recorded;
            if (!recorded.equals(given)) {
                String field = "the option " + name(option);
                return Optional.of(
                        Difference.of(
                                field,
                                recorded.isEmpty() ? "not given" : String.join(", ", recorded),
                                String.join(", ", given)));
            }
        }
        return Optional.empty();
    }

    private static List<String> texts(ParseResult arguments, RunOption option) {
        return arguments.matchedOption(name(option)).stringValues();
    }

    private static String name(RunOption option) {
        return option.longName();
    }
}
