package dev.agentloop.mcp;

import java.util.List;

/** The versions of the protocol that this program speaks, as client and as server. */
public final class ProtocolVersions {
    /** The version that the client offers to a server. */
    public static final String NEWEST = "2025-11-25";

    /** What we can agree on, the oldest first. */
    public static final List<String> KNOWN =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", NEWEST);

    private ProtocolVersions() {}
}
