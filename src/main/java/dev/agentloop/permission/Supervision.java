package dev.agentloop.permission;

/** Under which circumstances a run decides: whether a person is there, and trusts the workspace. */
public enum Supervision {
    TRUSTED_TERMINAL("trusted-terminal"),
    UNTRUSTED_TERMINAL("terminal"),
    /** No terminal, for example CI: whatever would be asked is denied. */
    UNATTENDED("unattended"),
    TRUSTED_UNATTENDED("trusted-unattended");

    private final String wireName;

    Supervision(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /**
     * The circumstances of a run.
     *
     * @param attended whether a person can be asked
     * @param trusted whether a person trusts the workspace
     */
    public static Supervision of(boolean attended, boolean trusted) {
        if (attended) {
            return trusted ? TRUSTED_TERMINAL : UNTRUSTED_TERMINAL;
        }
        return trusted ? TRUSTED_UNATTENDED : UNATTENDED;
    }

    public boolean isAttended() {
        return this == TRUSTED_TERMINAL || this == UNTRUSTED_TERMINAL;
    }

    public boolean isTrusted() {
        return this == TRUSTED_TERMINAL || this == TRUSTED_UNATTENDED;
    }
}
