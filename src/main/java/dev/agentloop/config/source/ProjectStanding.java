package dev.agentloop.config.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far the workspace's own configuration counts.
 *
 * @param trusted whether all that a project may say counts
 * @param base the version of a commit, in place of the files; without trust only its rules count
 * @param refusal why it does not count, for people
 * @param lost whether it did count before, so that its rules are missed
 * @param others files of the project that are left out with it
 */
public record ProjectStanding(
        boolean trusted, Optional<Base> base, String refusal, boolean lost, List<String> others) {
    public static final ProjectStanding TRUSTED =
            new ProjectStanding(true, Optional.empty(), "", false, List.of());
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

    /** A project whose files do not count. */
    public static ProjectStanding refused(String why, boolean lost) {
        return new ProjectStanding(false, Optional.empty(), why, lost, List.of());
    }

    /** The same with the version of a commit. */
    public ProjectStanding from(Base commit) {
        return new ProjectStanding(trusted, Optional.of(commit), refusal, lost, others);
    }

    /** The same; if it does not count, these files are named as well. */
    public ProjectStanding leavingOut(List<String> files) {
        return new ProjectStanding(trusted, base, refusal, lost, List.copyOf(files));
    }
}
