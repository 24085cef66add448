package dev.agentloop.tool;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One thing of the workspace that a call is about to change; paths are real ones. */
public sealed interface Touch {
    /**
     * A name gets another content, is created, or goes. What it holds so far may be kept for undo.
     *
     * @param planned what it will hold; null if it goes
     */
    record Content(Path path, byte @Nullable [] planned) implements Touch {}

    /** A folder is created. */
    record Folder(Path path) implements Touch {}

    /** A name becomes another one, with all that it holds; {@code to} is free. */
    record Moved(Path from, Path to) implements Touch {}

    /** A command may change, remove or fill this name, or leave it alone. */
    record AtRisk(Path path) implements Touch {}
}
