package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.Settings;
import dev.agentloop.llm.Effort;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * An agent: who does the work, and how far it may go. What is empty is as for any other run. {@link
 * LoadedConfig#forAgent} folds it into the other sections.
 *
 * @param description one line for people
 * @param prompt system prompt in place of the agent's own
 * @param model {@code provider/model}
 * @param readOnly whether tools that change anything are neither offered nor executable
 * @param tools patterns of tool names it may use; unset: all of its kind
 * @param confirm who is asked
 * @param rules added to those of the configuration
 * @param reach files it may read and change
 * @param mcpServers names of the servers that are started for it; unset: all
 * @param memory which notes it has: {@code shared} with all agents, its {@code own}, or {@code off}
 * @param switchTo names of agents that it may hand over to; unset: none
 * @param limits where its runs end
 */
public record AgentProfile(
        Optional<String> description,
        Optional<String> prompt,
        Optional<String> model,
        Optional<Effort> effort,
        Optional<Boolean> readOnly,
        Optional<List<String>> tools,
        Optional<AgentConfig.Confirm> confirm,
        Rules rules,
        Reach reach,
        Optional<List<String>> mcpServers,
        Optional<String> memory,
        Optional<List<String>> switchTo,
        Limits limits) {

    /** A profile that says nothing, so that another one decides everything. */
    public static final AgentProfile EMPTY =
            new AgentProfile(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new Rules(List.of(), List.of(), List.of()),
                    new Reach(Optional.empty(), Optional.empty()),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new Limits(
                            OptionalInt.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            OptionalLong.empty()));

    /** Permission rules, as in {@code permissions}. */
    public record Rules(List<String> allow, List<String> ask, List<String> deny) {
        private Rules with(Rules more) {
            return new Rules(both(allow, more.allow), both(ask, more.ask), both(deny, more.deny));
        }
    }

    /**
     * Patterns of files, as in {@code guardrails}. Unset: any that the policy allows.
     *
     * @param read files that may be read; what may be edited may be read as well
     * @param edit files that may be changed
     */
    public record Reach(Optional<List<String>> read, Optional<List<String>> edit) {
        /** Whether it holds back anything. */
        public boolean isSet() {
            return read.isPresent() || edit.isPresent();
        }
    }

    /** As in {@code limits}. */
    public record Limits(
            OptionalInt maxSteps,
            Optional<BigDecimal> budget,
            Optional<Duration> timeout,
            OptionalLong maxTokensTotal) {}

    /** This one, with what {@code base} says where it is silent; rules of both hold. */
    AgentProfile over(AgentProfile base) {
        return new AgentProfile(
                description.or(base::description),
                prompt.or(base::prompt),
                model.or(base::model),
                effort.or(base::effort),
                readOnly.or(base::readOnly),
                tools.or(base::tools),
                confirm.or(base::confirm),
                base.rules.with(rules),
                new Reach(reach.read.or(base.reach::read), reach.edit.or(base.reach::edit)),
                mcpServers.or(base::mcpServers),
                memory.or(base::memory),
                switchTo.or(base::switchTo),
                new Limits(
                        limits.maxSteps.isPresent() ? limits.maxSteps : base.limits.maxSteps,
                        limits.budget.or(base.limits::budget),
                        limits.timeout.or(base.limits::timeout),
                        limits.maxTokensTotal.isPresent()
                                ? limits.maxTokensTotal
                                : base.limits.maxTokensTotal));
    }

    /** All that stand in a configuration, by name. */
    static Map<String, AgentProfile> all(Settings settings) {
        Map<String, AgentProfile> agents = new LinkedHashMap<>();
        KeyPath section = KeyPath.of("agents");
        for (String name : settings.namesBelow(section)) {
            agents.put(name, of(settings, section.then(name)));
        }
        return Collections.unmodifiableMap(agents);
    }

    private static AgentProfile of(Settings settings, KeyPath at) {
        return new AgentProfile(
                text(settings, at.then("description")),
                text(settings, at.then("prompt")),
                text(settings, at.then("model")),
                text(settings, at.then("effort")).map(AgentProfile::effort),
                settings.value(at.then("read_only")).map(Boolean.class::cast),
                texts(settings, at.then("tools")),
                text(settings, at.then("confirm")).map(AgentProfile::confirm),
                new Rules(
                        texts(settings, at.then("allow")).orElse(List.of()),
                        texts(settings, at.then("ask")).orElse(List.of()),
                        texts(settings, at.then("deny")).orElse(List.of())),
                new Reach(texts(settings, at.then("read")), texts(settings, at.then("edit"))),
                texts(settings, at.then("mcp_servers")),
                text(settings, at.then("memory")),
                texts(settings, at.then("switch_to")),
                limits(settings, at));
    }

    private static Limits limits(Settings settings, KeyPath at) {
        Optional<Long> steps = settings.value(at.then("max_steps")).map(Long.class::cast);
        Optional<Long> tokens = settings.value(at.then("max_tokens_total")).map(Long.class::cast);
        return new Limits(
                steps.isPresent()
                        ? OptionalInt.of(Math.toIntExact(steps.get()))
                        : OptionalInt.empty(),
                settings.value(at.then("budget")).map(BigDecimal.class::cast),
                settings.value(at.then("timeout")).map(Duration.class::cast),
                tokens.isPresent() ? OptionalLong.of(tokens.get()) : OptionalLong.empty());
    }

    private static Optional<String> text(Settings settings, KeyPath path) {
        return settings.value(path).map(String.class::cast);
    }

    private static Optional<List<String>> texts(Settings settings, KeyPath path) {
        return settings.value(path)
                .map(list -> ((List<?>) list).stream().map(String.class::cast).toList());
    }

    private static Effort effort(String word) {
        return constant(Effort.values(), word);
    }

    private static AgentConfig.Confirm confirm(String word) {
        return constant(AgentConfig.Confirm.values(), word);
    }

    private static <E extends Enum<E>> E constant(E[] constants, String word) {
        String name = word.replace('-', '_').toUpperCase(Locale.ROOT);
        for (E constant : constants) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalStateException("no constant for " + word);
    }

    /** The entries of both lists, each once. */
    static List<String> both(List<String> first, List<String> second) {
        if (second.isEmpty()) {
            return first;
        }
        return Stream.concat(first.stream(), second.stream()).distinct().toList();
    }
}
