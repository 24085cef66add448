package dev.agentloop.config.key;

import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration: what it accepts, what it means, and who may set it.
 *
 * @param path {@code *} stands for any name
 * @param preset value when nobody sets the key; null: stays unset
 * @param variable environment variable that sets it; empty: none
 * @param option of the command line that sets it; empty: none
 * @param inFiles whether configuration files may set it
 * @param required whether its map is worth nothing without it
 */
public record Key(
        KeyPath path,
        ValueType type,
        @Nullable Object preset,
        String meaning,
        Project project,
        String variable,
        String option,
        boolean inFiles,
        boolean required) {

    /** What the project's own file may do with a key, once the workspace is trusted. */
    public enum Project {
        MAY("yes"),
        /** Lower a limit, or add to a list of rules. */
        MAY_TIGHTEN("only tighter"),
        /** Only where the user is silent. */
        IF_UNSET("if unset"),
        /** Under a name that nobody below has used. */
        OWN_ENTRY("under names of its own"),
        NEVER("no");

        private final String text;

        Project(String text) {
            this.text = text;
        }

        /** The word that the documentation uses for it. */
        public String text() {
            return text;
        }
    }

    static Key of(String path, ValueType type, @Nullable Object preset, String meaning) {
        return new Key(KeyPath.of(path), type, preset, meaning, Project.NEVER, "", "", true, false);
    }

    Key meaning(String meaning) {
        return new Key(path, type, preset, meaning, project, variable, option, inFiles, required);
    }

    Key project(Project project) {
        return new Key(path, type, preset, meaning, project, variable, option, inFiles, required);
    }

    Key variable(String variable) {
        return new Key(path, type, preset, meaning, project, variable, option, inFiles, required);
    }

    Key option(String option) {
        return new Key(path, type, preset, meaning, project, variable, option, inFiles, required);
    }

    Key notInFiles() {
        return new Key(path, type, preset, meaning, project, variable, option, false, required);
    }

    Key mandatory() {
        return new Key(path, type, preset, meaning, project, variable, option, inFiles, true);
    }

    /** The last part of its path. */
    public String name() {
        return path.parts().getLast();
    }

    /** Whether a name of the user is part of its path. */
    public boolean isNamed() {
        return path.parts().contains("*");
    }

    /** Whether this key stands at {@code other}. */
    public boolean matches(KeyPath other) {
        return path.covers(other);
    }
}
