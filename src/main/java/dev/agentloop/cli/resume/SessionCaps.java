package dev.agentloop.cli.resume;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** What command lines let a session use as a whole: a run that goes on with it keeps to that. */
public final class SessionCaps {
    private static final String USD = "limits.budget";
    private static final String TOKENS = "limits.max_tokens_total";
    private static final BigDecimal MOST = new BigDecimal(1_000_000); // as of limits.budget

    private SessionCaps() {}

    /** Those of the session that goes on, where this command line says nothing else. */
    static void keep(SavedSession earlier, Map<String, List<String>> options) {
        keep(earlier.caps().usd(), USD, options);
        keep(earlier.caps().tokens(), TOKENS, options);
    }

    private static void keep(String cap, String key, Map<String, List<String>> options) {
        if (!cap.isEmpty()) {
            options.putIfAbsent(key, List.of(cap));
        }
    }

    /** What is to be remembered; empty if nothing is. */
    public static Optional<JournalRecord.Capped> of(Map<String, List<String>> options) {
        JournalRecord.Capped caps =
                new JournalRecord.Capped(last(options, USD), last(options, TOKENS));
        return caps.equals(JournalRecord.Capped.NOTHING) ? Optional.empty() : Optional.of(caps);
    }

    private static String last(Map<String, List<String>> options, String key) {
        List<String> given = options.getOrDefault(key, List.of());
        return given.isEmpty() ? "" : given.getLast();
    }

    /** Sets the budget of the whole session if something is to be added to it. */
    public static void add(
            ParseResult arguments,
            @Nullable SavedSession earlier,
            Map<String, List<String>> options)
            throws UsageException {
        if (RunOption.ADD_BUDGET.isGiven(arguments)) {
            options.put(USD, List.of(total(arguments, earlier)));
        }
    }

    /**
     * The budget of the whole session.
     *
     * @param earlier the session that goes on; null for a new one
     */
    private static String total(ParseResult arguments, @Nullable SavedSession earlier)
            throws UsageException {
        String text = RunOption.ADD_BUDGET.text(arguments);
        if (RunOption.BUDGET.isGiven(arguments)) {
            throw new UsageException(
                    "--add-budget "
                            + text
                            + ": --budget is the cap on the whole session; give one of the two.");
        }
        if (earlier == null) {
            throw new UsageException(
                    "--add-budget "
                            + text
                            + ": this is a new session, there is nothing to add to; use --budget.");
        }
        BigDecimal usd = earlier.usd();
        if (usd == null && earlier.usage().total() > 0) {
            throw new UsageException(
                    "--add-budget "
                            + text
                            + ": what this session has cost so far is unknown.\n"
                            + "  Limit tokens with --max-tokens-total, or begin a new session.");
        }
        return added(text)
                .add(usd == null ? BigDecimal.ZERO : usd)
                .add(earlier.held().usd())
                .toPlainString();
    }

    private static BigDecimal added(String text) throws UsageException {
        try {
            BigDecimal more = new BigDecimal(text.strip());
            if (more.signum() >= 0 && more.compareTo(MOST) <= 0) {
                return more;
            }
        } catch (NumberFormatException e) {
            throw notMoney(text);
        }
        throw notMoney(text);
    }

    private static UsageException notMoney(String text) {
        return new UsageException(
                "--add-budget " + text + ": give US dollars, 0 to 1000000, such as 0.50.");
    }

    /** A budget is the session's: what nobody knows cannot be held against it. */
    public static void checkKnownCost(AgentConfig config, @Nullable SavedSession earlier)
            throws UsageException {
        boolean unknown = earlier != null && earlier.usd() == null && earlier.usage().total() > 0;
        if (unknown && config.limits().budget().isPresent()) {
            throw new UsageException(
                    "the budget cannot be kept: what this session has cost so far is unknown.\n"
                            + "  Limit tokens with --max-tokens-total, or begin a new session.");
        }
    }
}
