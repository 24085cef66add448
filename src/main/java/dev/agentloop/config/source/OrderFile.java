package dev.agentloop.config.source;

import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A YAML file that says what is to be done: a suite, a pipeline. Read like the configuration, with
 * neither tags nor aliases, and all its values are texts, lists and maps of those.
 */
public final class OrderFile {
    private static final int MOST = 1 << 20; // bytes

    private OrderFile() {}

    /**
     * Reads it.
     *
     * @param shown as the user named it
     * @throws ConfigException if it cannot be read or is no map
     */
    public static JsonValue read(Path file, String shown) {
        try {
            byte[] content = GivenFile.read(file, MOST);
            if (content.length > MOST) {
                throw new ConfigException("", shown + " is larger than 1 MB", "Split it.", shown);
            }
            String text = GivenFile.text(content);
            return new JsonValue(plain(YamlReader.read(shown, text)));
        } catch (MalformedInputException e) {
            throw new ConfigException("", "is no UTF-8 text", "Save it as UTF-8.", shown);
        } catch (NoSuchFileException e) {
            throw new ConfigException("", "does not exist", "Name a YAML file.", shown);
        } catch (IOException e) {
            throw new ConfigException("", "cannot be read: " + e.getMessage(), "", shown);
        }
    }

    private static @Nullable Object plain(YamlNode node) {
        return switch (node) {
            case YamlNode.Scalar scalar -> scalar.isNull() ? null : scalar.text();
            case YamlNode.Items items -> {
                List<@Nullable Object> all = new ArrayList<>();
                items.items().forEach(item -> all.add(plain(item)));
                yield all;
            }
            case YamlNode.Fields fields -> {
                Map<String, @Nullable Object> all = new LinkedHashMap<>();
                fields.fields().forEach((key, field) -> all.put(key, plain(field.value())));
                yield all;
            }
        };
    }

    /**
     * What is wrong with the keys of a map; a misspelled one must not be lost without a word.
     *
     * @param at where it stands, e.g. {@code steps[2]}
     */
    public static List<String> unknownKeys(JsonValue map, String at, Set<String> known) {
        List<String> problems = new ArrayList<>();
        for (String key : map.keys()) {
            if (!known.contains(key)) {
                problems.add(
                        at
                                + ": unknown key \""
                                + key
                                + "\"; known: "
                                + String.join(", ", new TreeSet<>(known)));
            }
        }
        return problems;
    }

    /** The texts of a list, or the one text; empty for none. */
    public static List<String> texts(JsonValue value) {
        if (value.isText()) {
            return List.of(value.text());
        }
        return value.items().stream().map(JsonValue::text).toList();
    }
}
