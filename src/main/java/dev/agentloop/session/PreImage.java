package dev.agentloop.session;

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

    public boolean isMove() {
        return !movedTo.isEmpty();
    }
}
