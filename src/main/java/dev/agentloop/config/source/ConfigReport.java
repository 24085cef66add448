package dev.agentloop.config.source;

import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.Values;
import dev.agentloop.config.source.Settings.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Every effective key with its value and origin, in the order of the table of keys. */
public record ConfigReport(List<Entry> entries) {
    /**
     * One key.
     *
     * @param key dotted; a part with a dot in it stands in quotes
     * @param value as it would be written in a file; {@code null} when not set
     */
    public record Entry(String key, String value, Origin origin) {}

    public static ConfigReport of(Settings settings, Path workspace) {
        List<Entry> entries = new ArrayList<>();
        Set<String> sections = new HashSet<>();
        for (Key key : Keys.ALL) {
            String section = key.path().part(0);
            if (!key.isNamed()) {
                settings.find(key.path())
                        .ifPresent(setting -> entries.add(entry(key.path(), setting)));
            } else if (sections.add(section)) {
                settings.section(section)
                        .forEach((path, setting) -> entries.add(entry(path, setting)));
            }
        }
        Entry first = entries.getFirst(); // the workspace, which may come from no setting
        entries.set(0, new Entry(first.key(), Values.show(workspace.toString()), first.origin()));
        return new ConfigReport(List.copyOf(entries));
    }

    private static Entry entry(KeyPath path, Setting setting) {
        return new Entry(path.toString(), Values.show(setting.value()), setting.origin());
    }

    /** One line for each key. */
    public String text(boolean withOrigins) {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
            text.append(entry.key()).append(": ").append(entry.value());
            if (withOrigins) {
                text.append("  # ").append(entry.origin().text());
            }
            text.append('\n');
        }
        return text.toString();
    }
}
