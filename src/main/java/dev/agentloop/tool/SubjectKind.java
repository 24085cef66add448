package dev.agentloop.tool;

/** What the subject of a call is, and so how the patterns of permission rules are read. */
public enum SubjectKind {
    /** A path of the workspace; {@code *} stops at slashes. */
    PATH,
    /** A command line, which may hold more than one command. */
    COMMAND,
    /** An address of the web; patterns name servers, see {@link HostPattern}. */
    URL,
    /** The arguments of a call to somebody else's server, as JSON text. */
    CALL
}
