package dev.agentloop.sandbox;

import java.util.Optional;
import java.util.regex.Pattern;

/** Explains what git says where mounts keep it from writing its settings. */
final class GitRefusal {
    /** A busy file is one that something is mounted over. */
    private static final Pattern SAID =
            Pattern.compile(
                    "could not (?:write|lock) config file (?:.*/)?\\.git/config(?:\\.worktree)?: "
                            + "(?:Device or resource busy|Read-only file system)");

    /** Of a branch that was deleted: it had no settings, or they are of no use any more. */
    private static final Pattern DELETION =
            Pattern.compile("(?:error: )?" + SAID + "\nwarning: Update of config-file failed");

    private static final String NOTE =
            "commands cannot change git's settings (.git/config) in this sandbox (bwrap), because"
                    + " git would run what they name. The user can do it outside of the sandbox:"
                    + " git config and git remote as they stand here; for a submodule that was"
                    + " added, git submodule init (it is cloned, only not registered yet); for a"
                    + " branch that is to follow another, git branch --set-upstream-to; a branch"
                    + " that was renamed has its new name, only its settings have the old one";

    private GitRefusal() {}

    /**
     * What to say about it, whatever the exit code: git or the command behind it often ends with 0.
     * To delete a branch, git tries to write settings that need no change, which needs no word.
     */
    static Optional<String> in(String printed) {
        boolean counts = SAID.matcher(DELETION.matcher(printed).replaceAll("")).find();
        return counts ? Optional.of(NOTE) : Optional.empty();
    }
}
