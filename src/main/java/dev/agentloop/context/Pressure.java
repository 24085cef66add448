package dev.agentloop.context;

/** Why a history is to be made shorter. */
enum Pressure {
    /** It fills more than 75 % of the window. */
    FULL,
    /** It fills more than 95 % of it. */
    CRITICAL,
    /** A server has refused it as too long. */
    REFUSED,
    /** Somebody has asked for it. */
    WANTED
}
