package dev.agentloop.sandbox;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Explains what git says where mounts keep it from writing its settings. */
final class GitRefusal {
    /** A busy file is one that something is mounted over. */
    private static final Pattern SAID =
            Pattern.compile(
                    "could not (?:write|lock) config file (?:.*/)?\\.git/config(?:\\.worktree)?: "
                            + "(?:Device or resource busy|Read-only file system)");

    private static final Pattern UPSTREAM =
            Pattern.compile("upstream branch configuration|set up to track"); // said by versions

    private static final String NOTE =
            "commands cannot change git's settings (.git/config) in this sandbox (bwrap), because"
                    + " git would run what they name. The user can do it outside of the sandbox:"
                    + " git config and git remote as they stand here; for a submodule that was"
                    + " added, git submodule init (it is cloned, only not registered yet); for a"
                    + " branch that is to follow another, git branch --set-upstream-to";

    private GitRefusal() {}

    /**
     * What to say about it. A command with exit code 0 usually needs no word: to delete a branch
     * git tries to write settings that need no change. Two do: one that was to make a branch follow
     * another, and one that has added a submodule.
     *
     * @param missing whether an added submodule is not in the settings; asked last, since it reads
     *     files
     */
    static Optional<String> in(String printed, int exitCode, BooleanSupplier missing) {
        if (!SAID.matcher(printed).find()) {
            return Optional.empty();
        }
        boolean counts =
                exitCode != 0 || UPSTREAM.matcher(printed).find() || missing.getAsBoolean();
        return counts ? Optional.of(NOTE) : Optional.empty();
    }
}
