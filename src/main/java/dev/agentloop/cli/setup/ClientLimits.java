package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.LimitsConfig;
import dev.agentloop.json.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of a run that a client asks for: what it wishes, at most what the server's person gave
 * its own agent, and what the agent that works has of its own.
 */
final class ClientLimits {
    private final LimitsConfig given;
    private final LimitsConfig agents;

    /**
     * @param given of the server's own agent
     * @param agents of the agent that works
     */
    ClientLimits(LimitsConfig given, LimitsConfig agents) {
        this.given = given;
        this.agents = agents;
    }

    /**
     * The words of the command line that they come to.
     *
     * @throws UsageException for a wish that is more, or no number
     */
    List<String> words(JsonValue wishes) throws UsageException {
        List<String> words = new ArrayList<>();
        steps(wishes.at("max_steps")).ifPresent(most -> add(RunOption.MAX_STEPS, most, words));
        budget(wishes.at("budget")).ifPresent(most -> add(RunOption.BUDGET, most, words));
        timeout(wishes.at("timeout")).ifPresent(most -> add(RunOption.TIMEOUT, most, words));
        tokens().ifPresent(most -> add(RunOption.MAX_TOKENS_TOTAL, most, words));
        return words;
    }

    private static void add(RunOption option, String value, List<String> words) {
        words.add(option.longName() + "=" + value);
    }

    private Optional<String> steps(JsonValue wish) throws UsageException {
        int most = Math.min(given.maxSteps(), agents.maxSteps());
        if (wish.isNull()) {
            return most == agents.maxSteps()
                    ? Optional.empty()
                    : Optional.of(Integer.toString(most));
        }
        BigDecimal steps = number("max_steps", wish);
        if (steps.stripTrailingZeros().scale() > 0) {
            throw new UsageException("max_steps must be a whole number.");
        }
        if (steps.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw more("max_steps", wish, Integer.toString(most), "--max-steps");
        }
        return Optional.of(steps.toBigInteger().toString());
    }

    private Optional<String> budget(JsonValue wish) throws UsageException {
        Optional<BigDecimal> most = least(given.budget(), agents.budget());
        if (wish.isNull()) {
            return most.equals(agents.budget())
                    ? Optional.empty()
                    : most.map(BigDecimal::toPlainString);
        }
        BigDecimal budget = number("budget", wish);
        if (most.isPresent() && budget.compareTo(most.get()) > 0) {
            throw more("budget", wish, most.get().toPlainString(), "--budget");
        }
        return Optional.of(budget.toPlainString());
    }

    private Optional<String> timeout(JsonValue wish) throws UsageException {
        Optional<Duration> most = least(given.timeout(), agents.timeout());
        if (wish.isNull()) {
            return most.equals(agents.timeout())
                    ? Optional.empty()
                    : most.map(ClientLimits::wholeSeconds);
        }
        BigDecimal seconds = number("timeout", wish);
        if (seconds.signum() == 0 || seconds.stripTrailingZeros().scale() > 0) {
            throw new UsageException("timeout must be a whole number of seconds, at least 1.");
        }
        if (most.isPresent() && seconds.compareTo(BigDecimal.valueOf(most.get().toSeconds())) > 0) {
            throw more("timeout", wish, Long.toString(most.get().toSeconds()), "--timeout");
        }
        return Optional.of(seconds.toBigInteger().toString());
    }

    /** Nobody can wish for it, but an agent may have more of its own. */
    private Optional<String> tokens() {
        OptionalLong most = given.maxTokensTotal();
        OptionalLong own = agents.maxTokensTotal();
        boolean more = most.isPresent() && (own.isEmpty() || own.getAsLong() > most.getAsLong());
        return more ? Optional.of(Long.toString(most.getAsLong())) : Optional.empty();
    }

    private static <T extends Comparable<T>> Optional<T> least(Optional<T> one, Optional<T> two) {
        if (one.isEmpty() || two.isEmpty()) {
            return one.or(() -> two);
        }
        return one.get().compareTo(two.get()) <= 0 ? one : two;
    }

    private static String wholeSeconds(Duration time) {
        return Long.toString(Math.max(1, time.toSeconds()));
    }

    private static BigDecimal number(String name, JsonValue wish) throws UsageException {
        String text = String.valueOf(wish.raw());
        if (!wish.isNumber() || !text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            throw new UsageException(name + " must be a number, 0 or more.");
        }
        return new BigDecimal(text);
    }

    private static UsageException more(String name, JsonValue wish, String most, String option) {
        return new UsageException(
                "%s %s is more than this server gives a run: %s (%s, or the configuration)."
                        .formatted(name, wish.raw(), most, option));
    }
}
