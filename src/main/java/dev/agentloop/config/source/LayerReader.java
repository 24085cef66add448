package dev.agentloop.config.source;

import dev.agentloop.config.key.HookKeys;
import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.KeyLookup;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.Suggestion;
import dev.agentloop.config.key.ValueType;
import dev.agentloop.config.key.Values;
import dev.agentloop.config.key.Values.BadValue;
import dev.agentloop.config.source.ConfigException.Problem;
import dev.agentloop.config.source.Settings.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one layer against the table of keys and collects everything that is wrong in it. */
public final class LayerReader {
    private static final int MAX_PROBLEMS = 20; // more do not fit on a screen

    private final Origin.Kind kind;
    private final String file;
    private final Map<KeyPath, Setting> found = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private LayerReader(Origin.Kind kind, String file) {
        this.kind = kind;
        this.file = file;
    }

    public static Map<KeyPath, Setting> file(
            Origin.Kind kind, String file, YamlNode.Fields fields) {
        LayerReader reader = new LayerReader(kind, file);
        reader.walk(fields, KeyPath.ROOT);
        return reader.done();
    }

    /** An empty variable counts as not set. */
    public static Map<KeyPath, Setting> variables(Map<String, String> environment) {
        LayerReader reader = new LayerReader(Origin.Kind.ENVIRONMENT, "");
        for (Key key : Keys.ALL) {
            String text = key.variable().isEmpty() ? null : environment.get(key.variable());
            if (text != null && !text.isBlank()) {
                reader.scalars(key, List.of(text.strip()), key.variable());
            }
        }
        return reader.done();
    }

    public static Map<KeyPath, Setting> options(Map<String, List<String>> options) {
        LayerReader reader = new LayerReader(Origin.Kind.OPTION, "");
        options.forEach((path, texts) -> {
            Key key = KeyLookup.at(KeyPath.of(path));
            if (key == null || texts.isEmpty()) {
                throw new IllegalArgumentException("no such key: " + path);
            }
            reader.scalars(key, texts, key.option().isEmpty() ? path : key.option());
        });
        return reader.done();
    }

    private Map<KeyPath, Setting> done() {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems.subList(0, Math.min(MAX_PROBLEMS, problems.size())));
        }
        return found;
    }

    private void scalars(Key key, List<String> texts, String source) {
        List<Object> values = new ArrayList<>();
        for (String text : texts) {
            try {
                values.add(Values.parse(key.type(), text));
            } catch (BadValue e) {
                problems.add(bad(key.path(), e.problem(), key.type(), source));
            }
        }
        if (values.size() == texts.size()) {
            boolean list = key.type() instanceof ValueType.Texts;
            Object value = list ? List.copyOf(values) : values.getLast();
            found.put(key.path(), new Setting(key, value, new Origin(kind, source)));
        }
    }

    private void walk(YamlNode.Fields fields, KeyPath at) {
        fields.fields()
                .forEach((name, field) -> {
                    KeyPath path = HookKeys.meant(at.then(name));
                    Key key = KeyLookup.at(path);
                    if (key != null && found.containsKey(path)) {
                        add(path, "is given twice", "Use one of its names.", field.line());
                    } else if (key != null) {
                        leaf(key, path, field);
                    } else if (KeyLookup.isSection(path)) {
                        section(path, field);
                    } else {
                        problems.add(unknown(at, name, field.line()));
                    }
                });
    }

    private void section(KeyPath path, YamlNode.Field field) {
        String name = path.parts().getLast();
        if (!KeyLookup.isGoodName(path)) {
            add(
                    path,
                    Values.quote(name) + " is not a name",
                    "Allowed: letters, digits, dot, dash and underscore; for models any text.",
                    field.line());
        } else if (field.value() instanceof YamlNode.Fields fields) {
            walk(fields, path);
        } else if (!(field.value() instanceof YamlNode.Scalar scalar && scalar.isNull())) {
            add(
                    path,
                    "is " + field.value().kind() + ", but needs keys below it",
                    known(path),
                    field.line());
        }
    }

    private void leaf(Key key, KeyPath path, YamlNode.Field field) {
        if (!key.inFiles()) {
            add(
                    path,
                    "cannot stand in a file",
                    "Use the option " + key.option() + " or the variable " + key.variable() + ".",
                    field.line());
            return;
        }
        int before = problems.size();
        Object value = value(key, path, field.value());
        if (problems.size() == before) {
            Origin origin = new Origin(kind, file + ":" + field.line());
            found.put(path, new Setting(key, value, origin));
        }
    }

    /** Null for "unset", and after a problem was noted. */
    private @Nullable Object value(Key key, KeyPath path, YamlNode node) {
        if (node instanceof YamlNode.Scalar scalar && scalar.isNull()) {
            if (scalar.text().isEmpty() || key.preset() != null) {
                note(path, "has no value", key.type(), node);
            }
            return null;
        }
        return switch (key.type()) {
            case ValueType.Texts texts -> texts(texts, path, node);
            case ValueType.Maps maps -> maps(maps, path, node);
            default -> scalar(key.type(), path, node);
        };
    }

    private @Nullable Object scalar(ValueType type, KeyPath path, YamlNode node) {
        if (!(node instanceof YamlNode.Scalar scalar)) {
            note(path, "is " + node.kind(), type, node);
            return null;
        }
        try {
            return Values.parse(type, scalar.text());
        } catch (BadValue e) {
            note(path, e.problem(), type, node);
            return null;
        }
    }

    private @Nullable Object texts(ValueType.Texts type, KeyPath path, YamlNode node) {
        if (!(node instanceof YamlNode.Items items)) {
            note(path, "is " + node.kind() + ", not a list", type, node);
            return null;
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            Object value = scalar(type, path.item(i), items.items().get(i));
            if (value != null) {
                values.add(value);
            }
        }
        return List.copyOf(values);
    }

    private @Nullable Object maps(ValueType.Maps type, KeyPath path, YamlNode node) {
        if (!(node instanceof YamlNode.Items items)) {
            note(path, "is " + node.kind() + ", not a list", type, node);
            return null;
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            YamlNode item = items.items().get(i);
            if (item instanceof YamlNode.Fields fields) {
                values.add(map(type, path.item(i), fields));
            } else {
                note(path.item(i), "is " + item.kind() + ", not a map", type, item);
            }
        }
        return List.copyOf(values);
    }

    private Map<String, Object> map(ValueType.Maps type, KeyPath path, YamlNode.Fields fields) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<String> names = type.keys().stream().map(Key::name).toList();
        fields.fields()
                .forEach((name, field) -> {
                    if (!names.contains(name)) {
                        String hint = Suggestion.among(name, names);
                        String all = "Known here: " + String.join(", ", names) + ".";
                        add(path.then(name), "unknown key" + hint, all, field.line());
                    }
                });
        for (Key key : type.keys()) {
            YamlNode.Field field = fields.fields().get(key.name());
            Object value =
                    field == null ? key.preset() : value(key, path.then(key.name()), field.value());
            if (value != null) {
                values.put(key.name(), value);
            } else if (field == null && key.required()) {
                note(path.then(key.name()), "is missing", key.type(), fields);
            }
        }
        return values;
    }

    private Problem unknown(KeyPath at, String name, int line) {
        KeyPath path = at.then(name);
        String later = Keys.LATER.get(path.toString());
        if (later != null) {
            String remedy = "Remove it, so that nobody relies on it.";
            return new Problem(path.toString(), later, remedy, file + ":" + line);
        }
        String hint = Suggestion.among(name, KeyLookup.namesBelow(at));
        return new Problem(
                path.toString(),
                "unknown key" + (hint.isEmpty() ? KeyLookup.elsewhere(name) : hint),
                known(at),
                file + ":" + line);
    }

    private static String known(KeyPath at) {
        return "Known here: " + String.join(", ", KeyLookup.namesBelow(at)) + ".";
    }

    private void note(KeyPath path, String problem, ValueType type, YamlNode node) {
        problems.add(bad(path, problem, type, file + ":" + node.line()));
    }

    private void add(KeyPath path, String problem, String remedy, int line) {
        problems.add(new Problem(path.toString(), problem, remedy, file + ":" + line));
    }

    private static Problem bad(KeyPath path, String problem, ValueType type, String source) {
        return new Problem(path.toString(), problem, "Allowed: " + type.allowed() + ".", source);
    }
}
