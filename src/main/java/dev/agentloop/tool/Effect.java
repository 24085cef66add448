package dev.agentloop.tool;

/** What running a tool may change; decides permission, order and what a resume may repeat. */
public enum Effect {
    /** Reads only; may be repeated at any time. */
    PURE,
    /** Changes files of the workspace in a way that can be observed afterwards. */
    FILE,
    /** May be repeated with the same outcome. */
    IDEMPOTENT,
    /** Anything else, e.g. a command; must never be repeated blindly. */
    OPAQUE
}
