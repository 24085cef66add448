package dev.agentloop.session;

/**
 * What a name of the workspace holds: enough to tell whether it still does.
 *
 * @param mark fingerprint of a file's content, text of a link; else empty
 * @param mode permission bits of a file; 0 for all else, and where only the content is meant
 */
public record FileState(Kind kind, String mark, int mode) {
    public static final FileState ABSENT = new FileState(Kind.ABSENT, "", 0);
    public static final FileState FOLDER = new FileState(Kind.FOLDER, "", 0);

    /** What stands behind a name; links are not followed. */
    public enum Kind {
        ABSENT,
        FILE,
        LINK,
        FOLDER,
        OTHER
    }

    /** Whether the content is the same; a mode alone is nobody's work to be kept. */
    public boolean holds(FileState other) {
        return kind == other.kind && mark.equals(other.mark);
    }
}
