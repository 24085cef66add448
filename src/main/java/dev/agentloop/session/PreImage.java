package dev.agentloop.session;

import java.io.IOException;

/**
 * One name as it was before a call changed it.
 *
 * @param path relative to the workspace root, with forward slashes
 * @param planned what the call means to leave there
 * @param blob name of the content that was kept; empty if there is none to keep
 * @param movedTo the name that what is here gets; empty if it is not moved
 */
public record PreImage(
        String path, FileState before, FileState planned, String blob, String movedTo) {

    /**
     * Refuses what stands in the place of a name that held a secret.
     *
     * @throws IOException which says so
     */
    public static void checkName(String name) throws IOException {
        if (name.contains("[redacted")) {
            throw new IOException(
                    "its name holds a secret, which the session does not keep; look for it"
                            + " yourself");
        }
    }

    public boolean isMove() {
        return !movedTo.isEmpty();
    }
}
