package dev.agentloop.config;

import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.Values;
import java.util.List;

/** The file that {@code agent config init} writes: every key, commented out, with its meaning. */
public final class ConfigTemplate {
    private static final List<String> EXAMPLES =
            List.of(
                    "providers.local",
                    "agents.build",
                    "mcp_servers.files",
                    "mcp_servers.files.env.LOG_LEVEL",
                    "mcp_servers.files.headers.X-Team");

    private ConfigTemplate() {}

    /** YAML that changes nothing until a line is uncommented. */
    public static String text() {
        StringBuilder text = new StringBuilder();
        text.append("# Configuration of agent. A line without its leading # takes effect;\n");
        text.append("# what stands here is the default, null is not set.\n");
        KeyPath last = KeyPath.ROOT;
        for (Key key : Keys.ALL) {
            if (key.inFiles()) {
                KeyPath path = example(key.path());
                headings(text, last, path);
                text.append("# ").append("  ".repeat(path.parts().size() - 1));
                text.append(path.parts().getLast()).append(": ").append(Values.show(key.preset()));
                text.append("  # ").append(key.meaning()).append('\n');
                last = path;
            }
        }
        return text.toString();
    }

    private static void headings(StringBuilder text, KeyPath last, KeyPath path) {
        boolean same = true;
        for (int depth = 0; depth < path.parts().size() - 1; depth++) {
            same =
                    same
                            && last.parts().size() > depth + 1
                            && last.part(depth).equals(path.part(depth));
            if (!same) {
                text.append(depth == 0 ? "\n" : "").append("# ").append("  ".repeat(depth));
                text.append(path.part(depth)).append(":\n");
            }
        }
    }

    /** A path with names in place of the stars. */
    private static KeyPath example(KeyPath path) {
        KeyPath example = KeyPath.ROOT;
        for (String part : path.parts()) {
            example = example.then(part.equals("*") ? name(example) : part);
        }
        return example;
    }

    private static String name(KeyPath section) {
        String prefix = section + ".";
        return EXAMPLES.stream()
                .filter(example -> example.startsWith(prefix))
                .map(example -> example.substring(prefix.length()))
                .findFirst()
                .orElse("my-model");
    }
}
