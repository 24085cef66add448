package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.Values;
import dev.agentloop.config.source.AgentFiles;
import dev.agentloop.config.source.FrontMatter;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.Settings;
import dev.agentloop.config.source.Settings.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The agents of the program, from files like those of users. */
public final class BuiltInAgents {
    /** In the order in which they are listed. */
    public static final List<String> NAMES =
            List.of(
                    "build",
                    "plan",
                    "review",
                    "explore",
                    "test",
                    "resume",
                    "accept-edits",
                    "auto-approve");

    /** The one that says nothing but its prompt, so that a plain run reads no YAML for it. */
    public static final String USUAL = "build";

    private BuiltInAgents() {}

    /** What it says; empty for a name that is not built in. */
    public static Optional<AgentProfile> find(String name) {
        if (!NAMES.contains(name)) {
            return Optional.empty();
        }
        return Optional.of(name.equals(USUAL) ? AgentProfile.EMPTY : read(name));
    }

    /** As {@link #find}, with the description and the prompt of the usual one as well. */
    public static AgentProfile read(String name) {
        String place = "built-in agent " + name;
        Map<KeyPath, Setting> layer =
                AgentFiles.settings(Origin.Kind.BUILT_IN, name, place, text(name));
        Settings settings = new Settings();
        settings.putAll(layer);
        return AgentProfile.all(settings).getOrDefault(name, AgentProfile.EMPTY);
    }

    /** The keys of its header, as they would be written in a file. */
    public static Map<String, String> values(String name) {
        Map<String, String> values = new LinkedHashMap<>();
        AgentFiles.settings(Origin.Kind.BUILT_IN, name, "built-in agent " + name, text(name))
                .forEach((path, setting) ->
                        values.put(setting.key().name(), Values.show(setting.value())));
        return values;
    }

    /** The instructions of a built-in agent, without the settings above them. */
    public static String prompt(String name) {
        return FrontMatter.split(name, text(name)).body();
    }

    private static String text(String name) {
        String path = "/prompts/agents/" + name + ".md";
        try (InputStream in = BuiltInAgents.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("not in the jar: " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
