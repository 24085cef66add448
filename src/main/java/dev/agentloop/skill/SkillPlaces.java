package dev.agentloop.skill;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where skills and commands are looked for.
 *
 * @param user the user's folder of configuration; need not exist
 * @param project the project, if it is believed
 */
public record SkillPlaces(Path user, Optional<Project> project) {
    /**
     * A project that is believed.
     *
     * @param root of the work tree; nothing above it is read
     * @param workspace real path in it
     */
    public record Project(Path root, Path workspace) {
        Path folder() {
            return workspace.resolve(".agent");
        }
    }
}
