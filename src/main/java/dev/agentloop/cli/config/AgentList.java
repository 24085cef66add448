package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.BuiltInAgents;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.source.ConfigReport;
import dev.agentloop.config.source.Origin;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import dev.agentloop.wiring.Agents;
import dev.agentloop.wiring.Profile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** The agents of a workspace, as {@code --agent} knows them. */
final class AgentList {
    private final LoadedConfig loaded;

    private AgentList(LoadedConfig loaded) {
        this.loaded = loaded;
    }

    static AgentList of(ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        LoadedConfig loaded = RunPreparation.loadForTools(arguments, invocation).loaded();
        for (String warning : loaded.warnings()) {
            invocation.streams().printError(warning + "\n");
        }
        return new AgentList(loaded);
    }

    /** All of them, one a line or in one object. */
    String all(boolean json) {
        List<Object> entries = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        for (String name : Agents.names(loaded.config())) {
            String description = SafeText.line(profile(name).description().orElse(""));
            entries.add(Map.of("name", name, "source", source(name), "description", description));
            lines.append((name + "  [" + source(name) + "]  " + description).stripTrailing());
            lines.append('\n');
        }
        return json ? object(Map.of("agents", entries)) : lines.toString();
    }

    /** What one says, with the place of each value. */
    String one(String name, boolean json) {
        Profile.check(loaded.forAgent(name), name);
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, String> places = new LinkedHashMap<>();
        if (BuiltInAgents.NAMES.contains(name)) {
            BuiltInAgents.values(name)
                    .forEach((key, value) -> {
                        values.put(key, value);
                        places.put(key, "built-in");
                    });
        }
        String prefix = "agents." + name + ".";
        for (ConfigReport.Entry entry : loaded.report().entries()) {
            if (entry.key().startsWith(prefix)) {
                String key = entry.key().substring(prefix.length());
                values.put(key, entry.value());
                places.put(key, entry.origin().text());
            }
        }
        values.remove("prompt");
        String prompt = Agents.instructions(loaded.config(), name);
        if (json) {
            Map<String, Object> agent = new LinkedHashMap<>();
            agent.put("name", name);
            agent.put("source", source(name));
            Map<String, Object> settings = new LinkedHashMap<>();
            values.forEach((key, value) -> settings.put(key, plain(value)));
            agent.put("settings", settings);
            agent.put("prompt", prompt);
            return object(agent);
        }
        StringBuilder text = new StringBuilder("agent " + name + " [" + source(name) + "]\n");
        values.forEach((key, value) -> {
            text.append(key).append(": ").append(SafeText.line(value));
            text.append("  # ").append(places.get(key)).append('\n');
        });
        return text.append('\n').append(SafeText.block(prompt)).append('\n').toString();
    }

    private AgentProfile profile(String name) {
        return name.equals(BuiltInAgents.USUAL) && !loaded.config().agents().containsKey(name)
                ? BuiltInAgents.read(name)
                : loaded.config().agent(name).orElse(AgentProfile.EMPTY);
    }

    private String source(String name) {
        String source = "";
        String prefix = "agents." + name + ".";
        for (ConfigReport.Entry entry : loaded.report().entries()) {
            if (entry.key().startsWith(prefix)) {
                boolean project = entry.origin().kind() == Origin.Kind.PROJECT_FILE;
                source = project || source.equals("project") ? "project" : "user";
            }
        }
        if (!BuiltInAgents.NAMES.contains(name)) {
            return source;
        }
        return source.isEmpty() ? "built-in" : "built-in, changed by " + source;
    }

    /** A value as it is, not as a file would say it. */
    private static Object plain(String shown) {
        try {
            Object value = Json.parse(shown).raw();
            return value == null ? shown : value;
        } catch (JsonException e) {
            return shown;
        }
    }

    private static String object(Map<String, Object> value) {
        return Json.text(new JsonValue(value)::writeTo) + "\n";
    }

    /** A file to begin with; it changes nothing but the prompt. */
    static String template(String name) {
        return """
        ---
        description: One line for agent agents list.
        # tools: [read_*, grep, edit_file]   # unset: all
        # read_only: true                    # no tool that changes anything
        # edit: ["docs/**"]                  # the only files it may change
        # deny: ["run_command(git push*)"]
        # max_steps: 30
        ---
        You are %s, a coding agent. Say here how it works and what its last answer must hold.
        """
                .formatted(name);
    }
}
