package dev.agentloop.cli;

import dev.agentloop.session.SavedSession;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** What a session that goes on may cost besides what it has cost so far. */
final class AddedBudget {
    private static final BigDecimal MOST = new BigDecimal(1_000_000); // as of limits.budget

    private AddedBudget() {}

    /**
     * The budget of the whole session.
     *
     * @param earlier the session that goes on; null for a new one
     */
    static String total(ParseResult arguments, @Nullable SavedSession earlier)
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
}
