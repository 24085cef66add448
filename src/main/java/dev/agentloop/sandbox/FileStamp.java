package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What tells one state of a file from another, whatever a command does to hide a change. */
final class FileStamp {
    private FileStamp() {}

    /** Number and time of the last change of content or attributes, which nobody can set. */
    static String of(Path file) throws IOException {
        return Files.readAttributes(file, "unix:ino,ctime", LinkOption.NOFOLLOW_LINKS).toString();
    }
}
