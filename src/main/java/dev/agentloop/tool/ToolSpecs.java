package dev.agentloop.tool;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads a tool's schema and description from the resources of the program. */
public final class ToolSpecs {
    private ToolSpecs() {}

    /**
     * The specification of the built-in tool {@code name}; a missing resource is a broken build.
     */
    public static ToolSpec load(String name, Effect effect) {
        return load(name, name, effect);
    }

    /**
     * The same where a tool is not described alike in all runs.
     *
     * @param resource name of its texts
     */
    public static ToolSpec load(String name, String resource, Effect effect) {
        String description = read("/prompts/tools/" + resource + ".md");
        String parameters = read("/schemas/tools/" + resource + ".json");
        return new ToolSpec(name, description, parameters, effect);
    }

    private static String read(String resource) {
        try (InputStream in = ToolSpecs.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
