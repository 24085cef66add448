package dev.agentloop.sandbox;

import java.util.Locale;

/** How strong the sandbox of commands is, the strongest first. */
public enum Tier {
    /** Namespaces, mounts and a system call filter. */
    BWRAP,
    /** Rules about files and a system call filter; the processes of the machine stay visible. */
    LANDLOCK,
    /** Commands have the rights of this program. */
    NONE;

    /** As in events and results. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
