package dev.agentloop.tool.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.storage.Roots;
import dev.agentloop.tool.ToolContext;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTransactionTest {
    private static final int NOBODY = 65534;

    @TempDir Path root;

    @Test
    @Tag("B18")
    @DisplayName("the last change fails when all others are made: they are undone")
    void undone() throws Exception {
        Path changed = Files.writeString(root.resolve("changed"), "old");
        Files.setPosixFilePermissions(changed, PosixFilePermissions.fromString("rwxr-x--x"));
        Object before = Files.readAttributes(changed, "unix:mode,uid,gid,nlink");
        Path deleted = Files.writeString(root.resolve("deleted"), "gone");
        Path taken = Files.createDirectory(root.resolve("taken"));
        FileTransaction all = new FileTransaction(Roots.only(root));
        all.write(changed, new byte[] {1}, changed, -1);
        all.delete(deleted);
        all.write(root.resolve("new/deep/file"), new byte[] {2}, root.resolve("x"), 0600);
        all.write(taken, new byte[] {3}, root.resolve("x"), -1);

        FileSystemException problem =
                assertThrows(FileSystemException.class, () -> all.commit(ToolContext.Barrier.OPEN));

        assertEquals("it is no regular file any more", problem.getReason());
        assertEquals("old", Files.readString(changed));
        assertEquals(before, Files.readAttributes(changed, "unix:mode,uid,gid,nlink"));
        assertEquals("gone", Files.readString(deleted));
        assertEquals(List.of("changed", "deleted", "taken"), names());
    }

    @Test
    void nothingIsLeftAside() throws Exception {
        Path changed = Files.writeString(root.resolve("changed"), "old");
        Path deleted = Files.writeString(root.resolve("deleted"), "gone");
        FileTransaction all = new FileTransaction(Roots.only(root));
        all.write(changed, new byte[] {'n'}, changed, 0640);
        all.delete(deleted);
        all.commit(ToolContext.Barrier.OPEN);
        assertEquals("n", Files.readString(changed));
        assertEquals(
                "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(changed)));
        assertEquals(List.of("changed"), names());
    }

    /** What {@link #notAsRoot} runs in a process of its own. */
    static final class Replacing {
        private Replacing() {}

        public static void main(String... file) throws Exception {
            Path path = Path.of(file[0]);
            FileTransaction one = new FileTransaction(Roots.only(path.getParent()));
            one.write(path, new byte[] {'n'}, path, -1);
            one.commit(ToolContext.Barrier.OPEN);
        }
    }

    @Test
    @DisplayName("files are replaced also for somebody whom their modes bind, which root is not")
    void notAsRoot() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "old");
        String classes = place(FileTransaction.class) + ":" + place(Replacing.class);
        assumeTrue(Files.getAttribute(file, "unix:uid").equals(0), "not root");
        for (Path each : List.of(root, file)) {
            Files.setAttribute(each, "unix:uid", NOBODY);
        }
        assumeTrue(asNobody("test", "-r", place(Replacing.class)) == 0, "closed to others");

        String java = System.getProperty("java.home") + "/bin/java";
        assertEquals(0, asNobody(java, "-cp", classes, Replacing.class.getName(), file + ""));

        assertEquals("n", Files.readString(file));
        assertEquals(List.of("file"), names());
    }

    private static String place(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()) + "";
    }

    private static int asNobody(String... words) throws Exception {
        List<String> argv = new ArrayList<>(List.of("setpriv", "--reuid=" + NOBODY));
        argv.add("--clear-groups");
        argv.addAll(List.of(words));
        try {
            return new ProcessBuilder(argv).inheritIO().start().waitFor();
        } catch (IOException e) {
            return abort("no setpriv: " + e.getMessage());
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
