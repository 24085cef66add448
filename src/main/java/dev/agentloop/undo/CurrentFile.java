package dev.agentloop.undo;

import dev.agentloop.session.FileState;
import dev.agentloop.session.FileState.Kind;
import dev.agentloop.tool.SeenFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a name holds on the disk now. No link is followed at its end.
 *
 * @param content of a file that is not too large to be held; else null
 */
record CurrentFile(FileState state, byte @Nullable [] content) {
    static final int MAX_BYTES = 10_000_000; // file tools change none that is larger

    private static final int TYPE_BITS = 0170000;
    private static final int MODE_BITS = 07777;

    static CurrentFile at(Path path) throws IOException {
        Map<String, Object> attributes;
        try {
            attributes =
                    Files.readAttributes(
                            path, "unix:mode,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return new CurrentFile(FileState.ABSENT, null);
        }
        int mode = attributes.get("mode") instanceof Integer bits ? bits : 0;
        return switch (mode & TYPE_BITS) {
            case 0100000 -> file(path, mode & MODE_BITS, attributes);
            case 0120000 ->
                    new CurrentFile(
                            new FileState(Kind.LINK, Files.readSymbolicLink(path).toString(), 0),
                            null);
            case 0040000 -> new CurrentFile(FileState.FOLDER, null);
            default -> new CurrentFile(new FileState(Kind.OTHER, "", 0), null);
        };
    }

    private static CurrentFile file(Path path, int mode, Map<String, Object> attributes)
            throws IOException {
        byte[] content = content(path);
        String mark =
                content == null
                        // only moves come here, and they keep both
                        ? attributes.get("size") + "@" + attributes.get("lastModifiedTime")
                        : SeenFiles.fingerprint(content);
        return new CurrentFile(new FileState(Kind.FILE, mark, mode), content);
    }

    private static byte @Nullable [] content(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            return content.length > MAX_BYTES ? null : content;
        }
    }

    boolean isFile() {
        return state.kind() == Kind.FILE;
    }
}
