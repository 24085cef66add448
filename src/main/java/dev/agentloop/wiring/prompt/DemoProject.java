package dev.agentloop.wiring.prompt;

import dev.agentloop.hook.HookCommand;
import dev.agentloop.llm.demo.DemoModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The sample project of {@code demo/scripted}: copied into a new folder, with a hook and rules. */
public final class DemoProject {
    private static final List<String> FILES = List.of("README.md", "sum.sh", "test.sh");
    private static final String PREFIX = "agent-demo-";
    private static final int MAX_BYTES = 1 << 14; // many times what the largest file has
    private static final Duration KEPT = Duration.ofDays(1); // long enough to look at it

    /** The hook that finds the script's deliberate typo. */
    public static final List<HookCommand> HOOKS =
            List.of(
                    new HookCommand(
                            "syntax-check",
                            "sh -n {file}",
                            List.of("*.sh"),
                            Duration.ofSeconds(10)));

    /** Exactly what the script does in its own folder; everything else is asked as usual. */
    public static final List<String> ALLOWED =
            List.of("edit_file(sum.sh)", "run_command(sh test.sh)");

    private DemoProject() {}

    /** Whether a folder is one that {@link #create} has made, by its name. */
    public static boolean isOne(Path folder) {
        Path name = folder.getFileName();
        return name != null && name.toString().startsWith(PREFIX);
    }

    /** Copies the project into a new folder below {@code parent}; those of past days go. */
    public static Path create(Path parent) throws IOException {
        Path folder = Files.createTempDirectory(parent, PREFIX);
        for (String file : FILES) {
            Files.writeString(folder.resolve(file), Prompts.resource("/demo/" + file));
        }
        removeOld(parent, folder);
        return folder;
    }

    /** What cannot be listed or removed stays: it is no trouble of this run. */
    private static void removeOld(Path parent, Path ours) {
        try (DirectoryStream<Path> listed = Files.newDirectoryStream(parent, PREFIX + "*")) {
            if (listed instanceof SecureDirectoryStream<Path> folders) {
                PosixFileAttributes own = attributes(ours);
                for (Path folder : folders) {
                    if (!folder.equals(ours)) {
                        removeIfOld(folders, folder.getFileName(), own);
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            return;
        }
    }

    private static void removeIfOld(
            SecureDirectoryStream<Path> parent, Path name, PosixFileAttributes ours) {
        try (SecureDirectoryStream<Path> folder =
                parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            if (isOld(folder, ours)) {
                for (String file : FILES) {
                    folder.deleteFile(Path.of(file));
                }
                parent.deleteDirectory(name); // only an empty one goes
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // the others may still go
        }
    }

    /**
     * Only a folder that we made, untouched for a day, with nothing in it but the project as we or
     * the script wrote it: the parent is often shared, and a link or a folder of somebody else may
     * stand there under such a name. All is asked of the folder that was opened, so that one put in
     * its place meanwhile is not meant.
     */
    private static boolean isOld(SecureDirectoryStream<Path> folder, PosixFileAttributes ours)
            throws IOException {
        PosixFileAttributes its =
                folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
        if (!its.owner().equals(ours.owner())
                || !its.permissions().equals(ours.permissions())
                || !isOld(its)) {
            return false;
        }
        Set<String> found = new HashSet<>();
        for (Path path : folder) {
            String file = path.getFileName().toString();
            if (!FILES.contains(file) || !isUnchanged(folder, file)) {
                return false;
            }
            found.add(file);
        }
        return found.size() == FILES.size();
    }

    private static boolean isUnchanged(SecureDirectoryStream<Path> folder, String file)
            throws IOException {
        PosixFileAttributes its =
                folder.getFileAttributeView(
                                Path.of(file),
                                PosixFileAttributeView.class,
                                LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
        if (!its.isRegularFile() || !isOld(its)) {
            return false;
        }
        String written = Prompts.resource("/demo/" + file);
        Set<String> known = new HashSet<>(Set.of(written));
        if (file.equals("sum.sh")) {
            known.addAll(DemoModel.editsOf(written));
        }
        Set<OpenOption> reading = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (SeekableByteChannel channel = folder.newByteChannel(Path.of(file), reading)) {
            ByteBuffer content = ByteBuffer.allocate(MAX_BYTES);
            int read = 0;
            while (content.hasRemaining() && read >= 0) {
                read = channel.read(content);
            }
            return known.contains(
                    new String(content.array(), 0, content.position(), StandardCharsets.UTF_8));
        }
    }

    private static boolean isOld(PosixFileAttributes its) {
        FileTime yesterday = FileTime.from(Instant.now().minus(KEPT));
        return its.lastModifiedTime().compareTo(yesterday) <= 0;
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}
