package dev.agentloop.config;

import java.util.Map;
import java.util.Optional;

/**
 * How far the workspace's own configuration counts.
 *
 * @param trusted whether all that a project may say counts
 * @param base the version of a commit, in place of the files; without trust only its rules count
 * @param refusal why it does not count, for people
 * @param lost whether it did count before, so that its rules are missed
 */
public record ProjectStanding(boolean trusted, Optional<Base> base, String refusal, boolean lost) {
    public static final ProjectStanding TRUSTED =
            new ProjectStanding(true, Optional.empty(), "", false);
    public static final ProjectStanding UNKNOWN =
            refused(
                    "this workspace is not trusted (agent config trust, or --trust for one run)",
                    false);

    /**
     * Files of {@code .agent} as a commit has them.
     *
     * @param ref as it was given
     * @param texts by file name, e.g. {@code config.yaml}
     * @param notice what people should know of it; may be empty
     */
    public record Base(String ref, Map<String, String> texts, String notice) {}

    /** Does not count. */
    public static ProjectStanding refused(String why, boolean lost) {
        return new ProjectStanding(false, Optional.empty(), why, lost);
    }

    /** The same with the version of a commit. */
    public ProjectStanding from(Base commit) {
        return new ProjectStanding(trusted, Optional.of(commit), refusal, lost);
    }
}
