package dev.agentloop.config.source;

import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the layers said so far, each leaf by its path: laying one map over another is a deep merge.
 */
public final class Settings {
    /**
     * A value as its type reads it; null means "as if nobody had set it".
     *
     * @param key what is set
     */
    public record Setting(Key key, @Nullable Object value, Origin origin) {}

    private final Map<KeyPath, Setting> settings = new TreeMap<>();

    /** Lays one setting over what is here; options and projects add to lists of rules. */
    void put(KeyPath path, Setting setting) {
        Setting below = settings.get(path);
        if (below != null && adds(setting)) {
            add(path, below, setting);
            return;
        }
        settings.put(path, setting);
    }

    /** Lays a layer over what is here; its lists are added to those below. */
    public void addAll(Map<KeyPath, Setting> layer) {
        layer.forEach((path, setting) -> {
            Setting below = settings.get(path);
            if (below == null) {
                settings.put(path, setting);
            } else {
                add(path, below, setting);
            }
        });
    }

    private void add(KeyPath path, Setting below, Setting setting) {
        if (setting.value() instanceof List<?> more) {
            List<Object> both = new ArrayList<>();
            if (below.value() instanceof List<?> first) {
                both.addAll(first);
            }
            for (Object item : more) {
                if (!both.contains(item)) {
                    both.add(item);
                }
            }
            Origin origin = below.origin().and(setting.origin());
            settings.put(path, new Setting(setting.key(), List.copyOf(both), origin));
            return;
        }
        settings.put(path, setting);
    }

    private static boolean adds(Setting setting) {
        boolean fromOption = setting.origin().kind() == Origin.Kind.OPTION;
        boolean fromProject =
                setting.origin().kind() == Origin.Kind.PROJECT_FILE
                        && setting.key().project() == Key.Project.MAY_TIGHTEN;
        ValueType type = setting.key().type();
        boolean list = type instanceof ValueType.Texts || type instanceof ValueType.Maps;
        return list && (fromOption || fromProject);
    }

    public void putAll(Map<KeyPath, Setting> layer) {
        layer.forEach(this::put);
    }

    public Optional<Setting> find(KeyPath path) {
        return Optional.ofNullable(settings.get(path));
    }

    /** Where the value of a path came from. */
    public Origin origin(KeyPath path) {
        Setting setting = settings.get(path);
        return setting == null ? Origin.BUILT_IN : setting.origin();
    }

    /** The value in force, built-in defaults included; empty when unset. */
    public Optional<Object> value(String path) {
        return value(KeyPath.of(path));
    }

    public Optional<Object> value(KeyPath path) {
        Setting setting = settings.get(path);
        return Optional.ofNullable(setting == null ? null : setting.value());
    }

    /** The names used right below a path, e.g. of providers. */
    public Set<String> namesBelow(KeyPath parent) {
        int depth = parent.parts().size();
        Set<String> names = new TreeSet<>();
        for (KeyPath path : settings.keySet()) {
            if (path.parts().size() > depth
                    && path.parts().subList(0, depth).equals(parent.parts())) {
                names.add(path.part(depth));
            }
        }
        return names;
    }

    /** All settings of one section, by path. */
    public Map<KeyPath, Setting> section(String name) {
        Map<KeyPath, Setting> section = new LinkedHashMap<>();
        settings.forEach((path, setting) -> {
            if (path.part(0).equals(name)) {
                section.put(path, setting);
            }
        });
        return section;
    }

    /** The built-in defaults. */
    public static Settings builtIn() {
        Settings settings = new Settings();
        for (Key key : Keys.ALL) {
            if (!key.isNamed()) {
                settings.put(key.path(), new Setting(key, key.preset(), Origin.BUILT_IN));
            }
        }
        return settings;
    }
}
