package dev.agentloop.tool.builtin.file;

import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * What is at a path, found out before it is opened: opening a pipe or a device may never return.
 */
public final class FileKind {
    private static final int TYPE_MASK = 0170000; // stat(2)

    private FileKind() {}

    /** Throws unless {@code file} is a regular file; {@code asked} is the path of the model. */
    public static void requireFile(Workspace workspace, Path file, String asked)
            throws ToolException, IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw MissingFile.refusal(workspace, file, asked, false);
        }
        refuseSpecial(workspace, file);
    }

    /** Throws if {@code file} exists and is anything but a regular file. */
    static void refuseSpecial(Workspace workspace, Path file) throws ToolException, IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        String shown = workspace.show(file);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw ToolException.error(shown + " is a directory. Use list_files to see inside.");
        }
        throw ToolException.error(shown + " is " + special(file) + ", not a regular file.");
    }

    /** The folder to look into; throws if it is none. */
    public static void requireFolder(Workspace workspace, Path folder, String asked)
            throws ToolException, IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw MissingFile.refusal(workspace, folder, asked, true);
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw ToolException.error(workspace.show(folder) + " is not a directory.");
        }
    }

    /** What binary bytes seem to be, by their first bytes. */
    static String binaryType(byte[] bytes) {
        String head = new String(bytes, 0, Math.min(bytes.length, 16), StandardCharsets.ISO_8859_1);
        for (String[] magic : MAGIC) {
            if (head.startsWith(magic[0])) {
                return magic[1];
            }
        }
        return "unknown type";
    }

    private static final String[][] MAGIC = {
        {"\u0089PNG", "PNG image"},
        {"\u00FF\u00D8\u00FF", "JPEG image"},
        {"GIF8", "GIF image"},
        {"RIFF", "RIFF media"},
        {"%PDF", "PDF document"},
        {"PK\u0003\u0004", "ZIP or JAR archive"},
        {"\u001F\u008B", "gzip archive"},
        {"BZh", "bzip2 archive"},
        {"\u00FD7zXZ", "xz archive"},
        {"\u007FELF", "ELF program"},
        {"MZ", "Windows program"},
        {"\u00CA\u00FE\u00BA\u00BE", "Java class"},
        {"\0asm", "WebAssembly"},
        {"SQLite format 3", "SQLite database"},
    };

    private static String special(Path file) throws IOException {
        Object mode;
        try {
            mode = Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException e) {
            return "a special file";
        } catch (AccessDeniedException e) {
            return "an unreadable special file";
        }
        return switch (mode instanceof Integer bits ? bits & TYPE_MASK : 0) {
            case 0010000 -> "a named pipe";
            case 0020000 -> "a character device";
            case 0060000 -> "a block device";
            case 0140000 -> "a socket";
            default -> "a special file";
        };
    }
}
