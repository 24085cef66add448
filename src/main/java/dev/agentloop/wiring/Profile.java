package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolRegistry;
import dev.agentloop.tool.ToolSpec;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * An agent: its instructions and the tools it may use.
 *
 * @param readsOnly whether tools that change anything are neither offered nor executable
 * @param toolNames names it may use; empty for all
 */
record Profile(String name, String instructions, boolean readsOnly, List<String> toolNames) {
    private static final List<String> BUILT_IN = List.of("build", "plan");
    private static final List<String> OF_COMMANDS = List.of("command_output", "stop_command");
    private static final List<String> NO_TOOL = List.of(""); // an empty list would mean all

    /** A built-in agent with the configuration's changes, or one of the configuration alone. */
    static Optional<Profile> find(String name, AgentConfig config, Prompts prompts) {
        AgentConfig.Agent configured = config.agents().get(name);
        if (configured == null && !BUILT_IN.contains(name)) {
            return Optional.empty();
        }
        AgentConfig.Agent agent = configured == null ? AgentConfig.Agent.EMPTY : configured;
        String base = BUILT_IN.contains(name) ? name : "build";
        return Optional.of(
                new Profile(
                        name,
                        agent.prompt().orElseGet(() -> prompts.agent(base)),
                        name.equals("plan"),
                        agent.tools().orElse(List.of())));
    }

    static List<String> names(AgentConfig config) {
        TreeSet<String> names = new TreeSet<>(BUILT_IN);
        names.addAll(config.agents().keySet());
        return List.copyOf(names);
    }

    ToolRegistry tools(ToolRegistry all) {
        List<String> allowed =
                all.known().stream()
                        .filter(spec -> !readsOnly || spec.effect() == Effect.PURE)
                        .map(ToolSpec::name)
                        .filter(this::mayUse)
                        .toList();
        if (!allowed.contains("run_command")) { // then there is nothing they could speak of
            allowed = allowed.stream().filter(name -> !OF_COMMANDS.contains(name)).toList();
        }
        return all.only(allowed.isEmpty() ? NO_TOOL : allowed);
    }

    private boolean mayUse(String tool) {
        return toolNames.isEmpty()
                || toolNames.stream().anyMatch(pattern -> matches(pattern, tool));
    }

    /** A name, or the beginning of one with a star: {@code read_*}. */
    private static boolean matches(String pattern, String tool) {
        return pattern.endsWith("*")
                ? tool.startsWith(pattern.substring(0, pattern.length() - 1))
                : tool.equals(pattern);
    }
}
