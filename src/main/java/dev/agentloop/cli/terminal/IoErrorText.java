package dev.agentloop.cli.terminal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What the file system refused, in words; messages that tell the file's name do not repeat it. */
public final class IoErrorText {
    private IoErrorText() {}

    public static String of(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException at when at.getReason() != null -> at.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
