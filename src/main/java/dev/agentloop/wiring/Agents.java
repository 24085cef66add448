package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.wiring.prompt.Prompts;
import java.util.List;

/** The agents of a configuration, for people. */
public final class Agents {
    private Agents() {}

    /**
     * Names of all that can be chosen: the built-in ones, then those of the user and the project.
     */
    public static List<String> names(AgentConfig config) {
        return Profile.names(config);
    }

    /** The prompt of an agent that exists. */
    public static String instructions(AgentConfig config, String agent) {
        return Profile.of(agent, config, new Prompts()).instructions();
    }
}
