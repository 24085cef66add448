package dev.agentloop.config.source;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.ConfigException.Problem;
import dev.agentloop.config.source.Settings.Setting;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Agents from Markdown files, {@code agents/NAME.md}: the header holds the keys of {@code
 * agents.NAME}, the text below is the prompt. A file is one more way to write a layer of the
 * configuration, so a project's file may say no more than its {@code config.yaml}.
 */
public final class AgentFiles {
    private static final String SUFFIX = ".md";
    private static final int MAX_FILES = 200;

    private AgentFiles() {}

    /**
     * What the files of a folder say, in the order of their names.
     *
     * @param warnings gets a line for files that others may write to
     * @throws ConfigException with file and line of what is wrong
     */
    public static Map<Path, Map<KeyPath, Setting>> read(
            Origin.Kind layer, Path folder, List<String> warnings) {
        Map<Path, Map<KeyPath, Setting>> agents = new LinkedHashMap<>();
        for (Path file : files(folder)) {
            ConfigFiles.read(layer, file, warnings)
                    .map(text -> settings(layer, name(file), file.toString(), text))
                    .ifPresent(settings -> agents.put(file, settings));
        }
        return agents;
    }

    private static List<Path> files(Path folder) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            names.forEach(files::add);
        } catch (IOException e) {
            throw new ConfigException(
                    "", "cannot be read: " + e.getMessage(), "Correct that.", folder.toString());
        }
        if (files.size() > MAX_FILES) {
            String many = "holds " + files.size() + " files, more than " + MAX_FILES;
            throw new ConfigException("", many, "Remove some.", folder.toString());
        }
        files.sort(null);
        return files;
    }

    private static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - SUFFIX.length());
    }

    /**
     * What one file says.
     *
     * @param place the file as it stands in messages
     */
    public static Map<KeyPath, Setting> settings(
            Origin.Kind layer, String name, String place, String text) {
        FrontMatter file = FrontMatter.split(place, text);
        Map<String, YamlNode.Field> keys = new LinkedHashMap<>(file.fields(place).fields());
        YamlNode.Field prompt = keys.get("prompt");
        if (prompt != null) {
            throw new ConfigException(
                    List.of(
                            new Problem(
                                    "agents." + name + ".prompt",
                                    "stands in the header",
                                    "The prompt is the text below the header.",
                                    place + ":" + prompt.line())));
        }
        if (!file.body().isEmpty()) {
            int line = file.bodyLine();
            keys.put(
                    "prompt",
                    new YamlNode.Field(new YamlNode.Scalar(file.body(), false, line), line));
        }
        YamlNode.Fields all = new YamlNode.Fields(below("agents", below(name, keys)), 1);
        return LayerReader.file(layer, place, all);
    }

    private static Map<String, YamlNode.Field> below(
            String name, Map<String, YamlNode.Field> keys) {
        return Map.of(name, new YamlNode.Field(new YamlNode.Fields(keys, 1), 1));
    }
}
