package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.BuiltInAgents;
import dev.agentloop.config.key.Suggestion;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.mcp.ToolNaming;
import dev.agentloop.permission.FileScope;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.call.ToolRegistry;
import dev.agentloop.wiring.prompt.Prompts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * An agent at work: its instructions and the tools it may use.
 *
 * @param readsOnly whether tools that change anything are neither offered nor executable
 * @param toolNames names it may use; empty for all
 * @param reach files it may read and change
 * @param servers names of those whose tools it may use; empty: all that have started
 * @param rules of its own
 */
public record Profile(
        String name,
        String instructions,
        boolean readsOnly,
        List<String> toolNames,
        FileScope reach,
        Optional<List<String>> servers,
        AgentProfile.Rules rules) {
    private static final List<String> OF_COMMANDS =
            List.of("command_output", "command_input", "stop_command");
    private static final List<String> NO_TOOL = List.of(""); // an empty list would mean all

    /** A built-in agent with the configuration's changes, or one of the configuration alone. */
    static Optional<Profile> find(String name, AgentConfig config, Prompts prompts) {
        return config.agent(name)
                .map(agent ->
                        new Profile(
                                name,
                                agent.prompt().orElseGet(() -> prompts.agent(BuiltInAgents.USUAL)),
                                agent.readOnly().orElse(false),
                                agent.tools().orElse(List.of()),
                                reach(agent),
                                agent.mcpServers(),
                                agent.rules()));
    }

    /**
     * As {@link #find}.
     *
     * @throws ConfigException for an agent that does not exist
     */
    static Profile of(String name, AgentConfig config, Prompts prompts) {
        return find(name, config, prompts).orElseThrow(() -> unknown(name, config));
    }

    /**
     * Refuses, before a session is begun for it, an agent that does not exist, or that names tools
     * that do not: a typing error would take a tool away without a word. The same for all that may
     * take over from it.
     *
     * @throws ConfigException also for a rule that cannot be read
     */
    public static void check(AgentConfig config, String name) {
        Policies.check(config);
        Set<String> checked = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            String one = open.pop();
            if (checked.add(one)) {
                AgentProfile agent = config.agent(one).orElseThrow(() -> unknown(one, config));
                checkTools(one, agent);
                if (!one.equals(name)) { // those of the first are in the configuration
                    Policies.check(one, agent.rules());
                }
                checkSwitches(config, one, agent);
                open.addAll(agent.switchTo().orElse(List.of()));
            }
        }
    }

    private static void checkTools(String name, AgentProfile agent) {
        for (String pattern : agent.tools().orElse(List.of())) {
            boolean known =
                    pattern.startsWith("mcp__")
                            || Tools.PROMISED.contains(pattern)
                            || Tools.NAMES.stream().anyMatch(tool -> matches(pattern, tool));
            if (!known) {
                throw new ConfigException(
                        "agents." + name + ".tools",
                        "\""
                                + pattern
                                + "\" names no tool"
                                + Suggestion.among(pattern, Tools.NAMES),
                        "Tools: " + String.join(", ", Tools.NAMES) + ".",
                        "");
            }
        }
    }

    /** All that it may hand over to must be there before it begins. */
    private static void checkSwitches(AgentConfig config, String name, AgentProfile agent) {
        for (String other : agent.switchTo().orElse(List.of())) {
            if (config.agent(other).isEmpty()) {
                List<String> names = names(config);
                throw new ConfigException(
                        "agents." + name + ".switch_to",
                        "there is no agent named \""
                                + other
                                + "\""
                                + Suggestion.among(other, names),
                        "Known: " + String.join(", ", names),
                        "");
            }
        }
    }

    private static ConfigException unknown(String name, AgentConfig config) {
        List<String> names = names(config);
        return new ConfigException(
                "agents",
                "there is no agent named \"" + name + "\"" + Suggestion.among(name, names),
                "Known: " + String.join(", ", names),
                "--agent");
    }

    private static FileScope reach(AgentProfile agent) {
        return agent.reach().isSet()
                ? new FileScope(agent.reach().read(), agent.reach().edit())
                : FileScope.ALL;
    }

    /** The built-in agent that it is, or is like. */
    static String base(String name) {
        return BuiltInAgents.NAMES.contains(name) ? name : BuiltInAgents.USUAL;
    }

    /** The built-in ones, then those of the user and the project. */
    static List<String> names(AgentConfig config) {
        List<String> names = new ArrayList<>(BuiltInAgents.NAMES);
        TreeSet<String> others = new TreeSet<>(config.agents().keySet());
        BuiltInAgents.NAMES.forEach(others::remove);
        names.addAll(others);
        return List.copyOf(names);
    }

    ToolRegistry tools(ToolRegistry all) {
        List<String> allowed =
                all.known().stream()
                        .filter(spec -> !readsOnly || spec.effect() == Effect.PURE)
                        .filter(spec -> !reach.isSet() || isHeldToFiles(spec))
                        .map(ToolSpec::name)
                        .filter(this::mayUse)
                        .filter(this::isOfItsServers)
                        .toList();
        if (!allowed.contains("run_command")) { // then there is nothing they could speak of
            allowed = allowed.stream().filter(name -> !OF_COMMANDS.contains(name)).toList();
        }
        return all.only(allowed.isEmpty() ? NO_TOOL : allowed);
    }

    /** Servers have started for the first agent; another one may have fewer of them. */
    private boolean isOfItsServers(String tool) {
        return !tool.startsWith("mcp__")
                || servers.isEmpty()
                || servers.get().stream()
                        .anyMatch(server -> tool.startsWith(ToolNaming.prefix(server)));
    }

    /** A command or a server may touch any file. */
    private static boolean isHeldToFiles(ToolSpec spec) {
        return !spec.name().equals("run_command") && !spec.name().startsWith("mcp__");
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
