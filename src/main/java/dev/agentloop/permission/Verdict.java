package dev.agentloop.permission;

/** What the policy says about a call, mildest first: of several answers the strictest wins. */
public enum Verdict {
    ALLOW,
    ASK,
    DENY
}
