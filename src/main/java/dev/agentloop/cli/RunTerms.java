package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.LimitsConfig;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.json.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/**
 * What a client may ask of a run: what to do and less than the server's person gave, never more.
 */
final class RunTerms {
    private static final Set<String> NAMES =
            Set.of("task", "agent", "model", "max_steps", "budget", "timeout");
    private static final int MOST_TASK_CHARS = 5_000_000; // half of what a run takes as a task

    private final ParseResult arguments;
    private final LoadedConfig loaded;
    private final String own;

    RunTerms(ParseResult arguments, LoadedConfig loaded) {
        this.arguments = arguments;
        this.loaded = loaded;
        this.own =
                RunOption.AGENT.isGiven(arguments)
                        ? RunOption.AGENT.text(arguments)
                        : RunPreparation.USUAL_AGENT;
    }

    /**
     * The words of the command line that the client's wishes come to, without the task.
     *
     * @throws UsageException for what it may not wish, or cannot be
     */
    List<String> words(JsonValue wishes) throws UsageException {
        for (String name : wishes.keys()) {
            if (!NAMES.contains(name)) {
                throw new UsageException("run has no argument \"" + name + "\".");
            }
        }
        task(wishes.at("task"));
        List<String> words = new ArrayList<>();
        String agent = own;
        if (!wishes.at("agent").isNull()) {
            agent = agent(text("agent", wishes.at("agent")));
            words.add(RunOption.AGENT.longName() + "=" + agent);
        }
        if (!wishes.at("model").isNull()) {
            words.add(RunOption.MODEL.longName() + "=" + model(text("model", wishes.at("model"))));
        }
        LimitsConfig limits = loaded.forAgent(agent).limits();
        addSteps(wishes.at("max_steps"), limits, words);
        addBudget(wishes.at("budget"), limits, words);
        addTimeout(wishes.at("timeout"), limits, words);
        return words;
    }

    private static void task(JsonValue task) throws UsageException {
        if (!task.isText() || task.text().isBlank()) {
            throw new UsageException("run needs a task: a text that says what is to be done.");
        }
        if (task.text().length() > MOST_TASK_CHARS) {
            throw new UsageException(
                    "the task is longer than 5 million characters. Put the data in a file of the"
                            + " workspace and name it in the task.");
        }
    }

    private static String text(String name, JsonValue value) throws UsageException {
        if (!value.isText() || !value.text().matches("[^\\p{Cntrl}]{1,200}")) {
            throw new UsageException(name + " must be a name, on one line.");
        }
        return value.text();
    }

    /** Address and key of the command line are for its own model: another's would go astray. */
    private String model(String id) throws UsageException {
        AgentConfig.Llm llm = loaded.config().llm();
        boolean bound = llm.baseUrl().isPresent() || llm.apiKeyEnv().isPresent();
        if (bound && !id.equals(RunOption.MODEL.text(arguments))) {
            throw new UsageException(
                    "this server has a base URL or key of its own for its model; leave model out.");
        }
        return id;
    }

    private String agent(String name) throws UsageException {
        if (loaded.config().agent(name).isEmpty()) {
            throw new UsageException("there is no agent named \"" + name + "\".");
        }
        if (!name.equals(own) && !isNoMore(name)) {
            throw new UsageException(
                    "this server works as the agent %s; %s could do more. The server must be started"
                                    .formatted(own, name)
                            + " with --agent "
                            + name
                            + " for it.");
        }
        return name;
    }

    /** Only where nothing is held back that another agent could have. */
    private boolean isNoMore(String name) {
        AgentProfile mine = loaded.config().agent(own).orElse(AgentProfile.EMPTY);
        AgentProfile other = loaded.config().agent(name).orElse(AgentProfile.EMPTY);
        boolean free =
                !RunOption.AGENT.isGiven(arguments)
                        && !mine.readOnly().orElse(false)
                        && mine.tools().isEmpty()
                        && !mine.reach().isSet()
                        && mine.mcpServers().isEmpty();
        AgentConfig.Permissions given = loaded.forAgent(own).permissions();
        return free
                && other.switchTo().isEmpty()
                && loaded.forAgent(name).permissions().equals(given);
    }

    private static void addSteps(JsonValue wish, LimitsConfig limits, List<String> words)
            throws UsageException {
        if (wish.isNull()) {
            return;
        }
        BigDecimal steps = number("max_steps", wish);
        if (steps.stripTrailingZeros().scale() > 0) {
            throw new UsageException("max_steps must be a whole number.");
        }
        if (steps.compareTo(BigDecimal.valueOf(limits.maxSteps())) > 0) {
            throw more("max_steps", wish, Integer.toString(limits.maxSteps()), "--max-steps");
        }
        words.add(RunOption.MAX_STEPS.longName() + "=" + steps.toBigInteger());
    }

    private static void addBudget(JsonValue wish, LimitsConfig limits, List<String> words)
            throws UsageException {
        if (wish.isNull()) {
            return;
        }
        BigDecimal budget = number("budget", wish);
        if (limits.budget().isPresent() && budget.compareTo(limits.budget().get()) > 0) {
            throw more("budget", wish, limits.budget().get().toPlainString(), "--budget");
        }
        words.add(RunOption.BUDGET.longName() + "=" + budget.toPlainString());
    }

    private static void addTimeout(JsonValue wish, LimitsConfig limits, List<String> words)
            throws UsageException {
        if (wish.isNull()) {
            return;
        }
        BigDecimal seconds = number("timeout", wish);
        if (seconds.signum() == 0 || seconds.stripTrailingZeros().scale() > 0) {
            throw new UsageException("timeout must be a whole number of seconds, at least 1.");
        }
        if (limits.timeout().isPresent()) {
            Duration most = limits.timeout().get();
            if (seconds.compareTo(BigDecimal.valueOf(most.toSeconds())) > 0) {
                throw more("timeout", wish, Long.toString(most.toSeconds()), "--timeout");
            }
        }
        words.add(RunOption.TIMEOUT.longName() + "=" + seconds.toBigInteger());
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
