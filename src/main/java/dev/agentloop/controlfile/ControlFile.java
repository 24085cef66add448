package dev.agentloop.controlfile;

import java.nio.file.Path;

/**
 * A name in a workspace that is one of {@link ControlGroup}. Below a link there may be nothing of
 * that name yet; all others are there.
 *
 * @param name its path, under the root, perhaps through a link
 * @param chain where it leads
 * @param top whether it is meant for the workspace as a whole, not for a folder in it
 */
public record ControlFile(Path name, ControlGroup group, LinkChain chain, boolean top) {
    /** Whether it is git's own folder, or the file that stands for it. */
    public boolean isOfGit() {
        Path last = name.getFileName();
        return group == ControlGroup.OWN
                && last != null
                && ControlNames.plain(last.toString()).equals(".git");
    }
}
