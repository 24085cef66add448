package dev.agentloop.sandbox.git.file;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The rights of a folder's owner, which a command can take from it. */
public final class OwnerRights {
    private OwnerRights() {}

    /**
     * Lets the owner list, change and enter a folder again, who could neither look into it nor
     * clean it up. Nobody else gets a right: a command may have put a link in its place just now,
     * and then it is the link's target that is changed.
     *
     * @return whether it is a folder and could be changed
     */
    public static boolean giveBack(Path folder) {
        File file = folder.toFile();
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && file.setReadable(true)
                && file.setWritable(true)
                && file.setExecutable(true);
    }
}
