package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/**
 * What a client may ask of a run: what to do and less than the server's person gave, never more.
 */
public final class ClientPermissions {
    private static final Set<String> NAMES =
            Set.of("task", "agent", "model", "max_steps", "budget", "timeout");
    private static final int MOST_TASK_CHARS = 5_000_000; // half of what a run takes as a task

    private final ParseResult arguments;
    private final LoadedConfig loaded;
    private final String own;

    public ClientPermissions(ParseResult arguments, LoadedConfig loaded) {
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
    public List<String> words(JsonValue wishes) throws UsageException {
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
        ClientLimits limits =
                new ClientLimits(loaded.forAgent(own).limits(), loaded.forAgent(agent).limits());
        words.addAll(limits.words(wishes));
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

    /**
     * Who names a model on the command line has said to whom the code goes and at what price.
     * Address and key are for the server's own model: another's would go astray.
     */
    private String model(String id) throws UsageException {
        String given = RunOption.MODEL.isGiven(arguments) ? RunOption.MODEL.text(arguments) : "";
        if (id.equals(given)) {
            return id;
        }
        if (!given.isEmpty()) {
            throw new UsageException(
                    "this server was started with --model %s; leave model out.".formatted(given));
        }
        AgentConfig.Llm llm = loaded.config().llm();
        if (llm.baseUrl().isPresent() || llm.apiKeyEnv().isPresent()) {
            throw new UsageException(
                    "this server has a base URL or key of its own for its model; leave model out.");
        }
        if (isScripted(id)) {
            throw new UsageException(
                    "%s only shows how the agent works, in a folder of its own; name a real model."
                            .formatted(id));
        }
        return id;
    }

    private boolean isScripted(String id) {
        String provider = id.substring(0, Math.max(0, id.indexOf('/')));
        return ModelCatalog.of(loaded.config().providers())
                .provider(provider)
                .filter(found -> found.protocol() == AgentConfig.Protocol.EMBEDDED)
                .isPresent();
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
}
