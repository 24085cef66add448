package dev.agentloop.tool;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** Says in words what the file system refused, and what can be done about it. */
public final class IoProblem {
    private IoProblem() {}

    public static String explain(IOException problem, Workspace workspace) {
        if (!(problem instanceof FileSystemException at)) {
            return byReason(String.valueOf(problem.getMessage()));
        }
        String file = at.getFile() == null ? "the file" : workspace.show(Path.of(at.getFile()));
        return switch (at) {
            case NoSuchFileException _ -> "No such file: " + file;
            case AccessDeniedException _ -> "Permission denied: " + file + owner(at.getFile());
            case NotDirectoryException _ -> "Not a directory: " + file;
            case FileAlreadyExistsException _ -> "A file is in the way: " + file;
            default -> file + ": " + byReason(String.valueOf(at.getReason()));
        };
    }

    private static String byReason(String reason) {
        String lower = reason.toLowerCase(Locale.ROOT);
        if (lower.startsWith("the sandbox did not start")) {
            return reason; // what it could not write, it says itself
        }
        if (lower.contains("no space left")) {
            return "no space left on device. Free some space first.";
        }
        if (lower.contains("read-only file system")) {
            return "read-only file system. Nothing can be written there.";
        }
        if (lower.contains("file too large") || lower.contains("quota exceeded")) {
            return reason + ": a size limit or quota of this system was reached.";
        }
        if (lower.contains("operation not permitted")) {
            return "operation not permitted (immutable file, or owned by somebody else).";
        }
        return reason;
    }

    /** Whose file it is and with which mode; empty when even that may not be read. */
    private static String owner(String file) {
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(
                            Path.of(file), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return " (mode %s, owner %s)"
                    .formatted(
                            PosixFilePermissions.toString(attributes.permissions()),
                            attributes.owner().getName());
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
