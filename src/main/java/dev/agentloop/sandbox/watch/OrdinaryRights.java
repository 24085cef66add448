package dev.agentloop.sandbox.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * What this program's user may do without the special rights of root, which commands in a sandbox
 * do not have: root itself can write only what belongs to root, or what everybody may write.
 */
public final class OrdinaryRights {
    private static final int OWNER_WRITES = 0200; // of st_mode
    private static final int GROUP_WRITES = 0020;
    private static final int ALL_WRITE = 0002;

    private OrdinaryRights() {}

    /** Whether files can be made in a folder; yes if that cannot be found out. */
    public static boolean canWrite(Path folder) {
        try {
            Map<String, Object> own = attributes(Path.of("/proc/self"));
            if (number(own, "uid") != 0) {
                return Files.isWritable(folder);
            }
            Map<String, Object> seen = attributes(folder);
            int mode = number(seen, "mode");
            return number(seen, "uid") == 0
                    ? (mode & OWNER_WRITES) != 0
                    : number(seen, "gid") == 0
                            ? (mode & GROUP_WRITES) != 0
                            : (mode & ALL_WRITE) != 0;
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    private static Map<String, Object> attributes(Path file) throws IOException {
        return Files.readAttributes(file, "unix:uid,gid,mode", new LinkOption[0]);
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer number ? number : 0;
    }
}
