package dev.agentloop.sandbox.git.file;

import dev.agentloop.sandbox.kernel.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The rights of a folder's owner, which a command can take from it. */
public final class OwnerRights {
    private OwnerRights() {}

    /**
     * Lets the owner list, change and enter a folder again, who could neither look into it nor
     * clean it up. Nothing else is changed, also if a command has just put a link in its place.
     *
     * @param folder a real path
     * @return whether it is a folder and could be changed
     */
    public static boolean giveBack(Path folder) {
        if (!Files.isDirectory(folder) || SystemCalls.here().isEmpty()) {
            return false;
        }
        try (SystemCalls kernel = new SystemCalls()) {
            Optional<HeldPath> held = HeldPath.of(kernel, folder);
            return held.isPresent() && giveBack(held.get());
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean giveBack(HeldPath folder) throws IOException {
        try (folder) {
            if (!Files.isDirectory(folder.path())) {
                return false;
            }
            Set<PosixFilePermission> rights =
                    EnumSet.copyOf(Files.getPosixFilePermissions(folder.path()));
            rights.addAll(
                    Set.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));
            Files.setPosixFilePermissions(folder.path(), rights);
            return true;
        }
    }
}
