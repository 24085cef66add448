package dev.agentloop.config.key;

import static dev.agentloop.config.key.Key.Project.IF_UNSET;
import static dev.agentloop.config.key.Key.Project.MAY_TIGHTEN;
import static dev.agentloop.config.key.KeyForms.confirm;
import static dev.agentloop.config.key.KeyForms.effort;
import static dev.agentloop.config.key.KeyForms.key;
import static dev.agentloop.config.key.KeyForms.text;
import static dev.agentloop.config.key.KeyForms.whole;

import dev.agentloop.config.key.ValueType.Choice;
import dev.agentloop.config.key.ValueType.Flag;
import dev.agentloop.config.key.ValueType.Form;
import dev.agentloop.config.key.ValueType.Money;
import dev.agentloop.config.key.ValueType.Span;
import dev.agentloop.config.key.ValueType.Texts;
import java.time.Duration;
import java.util.List;

/**
 * The keys of agents. They are also those of the header of an agent's own file. A project's agent
 * may hold back, never allow.
 */
final class AgentKeys {
    private static final Duration YEAR = Duration.ofDays(365);

    private AgentKeys() {}

    static void addTo(List<Key> keys) {
        keys.add(
                whole("agents.*.max_steps", 0, 1_000_000, null)
                        .meaning("limits.max_steps of this profile.")
                        .project(MAY_TIGHTEN));
        keys.add(text("agents.*.model", Form.MODEL, "llm.model of this profile."));
        keys.add(
                list(
                                "tools",
                                "Tools of the profile that may be used, e.g. read_*; unset: all it has.")
                        .project(IF_UNSET));
        keys.add(
                text("agents.*.prompt", Form.ANY, "System prompt in place of the profile's own.")
                        .project(IF_UNSET));
        keys.add(key("agents.*.effort", effort(), null, "llm.effort of this profile."));
        keys.add(key("agents.*.confirm", confirm(), null, "permissions.confirm of this profile."));
        keys.add(
                text("agents.*.description", Form.ANY, "One line for agent agents list.")
                        .project(IF_UNSET));
        keys.add(
                key(
                                "agents.*.read_only",
                                new Flag(),
                                null,
                                "Whether tools that change anything are left away.")
                        .project(MAY_TIGHTEN));
        addRights(keys);
        keys.add(list("switch_to", "Agents that it may hand over to, by the tool switch_agent."));
        addLimits(keys);
    }

    private static void addRights(List<Key> keys) {
        keys.add(list("allow", "More of permissions.allow for this profile."));
        keys.add(list("ask", "More of permissions.ask for this profile.").project(MAY_TIGHTEN));
        keys.add(list("deny", "More of permissions.deny for this profile.").project(MAY_TIGHTEN));
        keys.add(
                list("read", "Files the profile may read, e.g. docs/**; unset: all it is allowed.")
                        .project(IF_UNSET));
        keys.add(
                list("edit", "Files the profile may change, and read; unset: all it is allowed.")
                        .project(IF_UNSET));
        keys.add(
                list("mcp_servers", "Names of the MCP servers it gets; unset: all.")
                        .project(IF_UNSET));
        keys.add(
                key(
                                "agents.*.memory",
                                Choice.of("shared", "own", "off"),
                                null,
                                "Notes of all agents, of this one only, or none; unset: shared.")
                        .project(IF_UNSET));
    }

    private static void addLimits(List<Key> keys) {
        keys.add(
                key("agents.*.budget", new Money(), null, "limits.budget of this profile.")
                        .project(MAY_TIGHTEN));
        keys.add(
                key(
                                "agents.*.timeout",
                                new Span(Duration.ofMillis(1), YEAR, false),
                                null,
                                "limits.timeout of this profile.")
                        .project(MAY_TIGHTEN));
        keys.add(
                whole("agents.*.max_tokens_total", 0, 1_000_000_000_000L, null)
                        .meaning("limits.max_tokens_total of this profile.")
                        .project(MAY_TIGHTEN));
    }

    private static Key list(String name, String meaning) {
        return key("agents.*." + name, new Texts(Form.ANY), null, meaning);
    }
}
