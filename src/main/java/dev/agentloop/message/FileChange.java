package dev.agentloop.message;

/**
 * One file that a tool changed.
 *
 * @param path relative to the workspace root, with forward slashes
 * @param added lines added
 * @param removed lines removed
 */
public record FileChange(String path, Kind kind, int added, int removed) {
    /** What happened to the file. */
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED,
        MOVED
    }
}
