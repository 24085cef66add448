package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.ValueType;
import dev.agentloop.config.key.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConfigDocsTest {
    private static final Path PAGE = Path.of("docs/configuration.md");

    @Test
    void thePageListsEveryKey() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| key | meaning | allowed | default | option | project |\n");
        table.append("|---|---|---|---|---|---|\n");
        for (Key key : Keys.ALL) {
            if (key.inFiles()) {
                row(table, key.path().toString().replace("*", "NAME"), key);
                if (key.type() instanceof ValueType.Maps maps) {
                    maps.keys().forEach(item -> row(table, key.path() + "[]." + item.name(), item));
                }
            }
        }

        Golden.checkPart(PAGE, "keys", table.toString());
    }

    @Test
    void thePageListsEveryVariable() throws IOException {
        TreeMap<String, String> rows = new TreeMap<>();
        for (Key key : Keys.ALL) {
            if (!key.variable().isEmpty()) {
                String what = key.inFiles() ? "the key `" + key.path() + "`" : key.meaning();
                rows.put(key.variable(), what + " | `" + key.option() + "`");
            }
        }
        StringBuilder table = new StringBuilder("| variable | sets | option |\n|---|---|---|\n");
        rows.forEach((name, row) -> table.append("| `" + name + "` | " + row + " |\n"));

        Golden.checkPart(PAGE, "variables", table.toString());
    }

    @Test
    void noMeaningIsMissing() {
        for (Key key : Keys.ALL) {
            assertTrue(key.meaning().endsWith("."), key.path() + ": " + key.meaning());
        }
    }

    private static void row(StringBuilder table, String path, Key key) {
        boolean item = path.contains("[].");
        String preset = key.preset() == null ? "" : "`" + Values.show(key.preset()) + "`";
        table.append("| `").append(path).append("` | ").append(key.meaning());
        table.append(" | ").append(allowed(key.type()));
        table.append(" | ").append(key.required() ? "must be given" : preset);
        table.append(" | ").append(key.option().isEmpty() ? "" : "`" + key.option() + "`");
        table.append(" | ").append(item ? "" : key.project().text()).append(" |\n");
    }

    private static String allowed(ValueType type) {
        return type instanceof ValueType.Maps ? "a list of maps, see below" : type.allowed();
    }
}
