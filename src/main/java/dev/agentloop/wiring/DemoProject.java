package dev.agentloop.wiring;

import dev.agentloop.hook.HookCommand;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The sample project of {@code demo/scripted}: copied into a new folder, with a hook and rules. */
public final class DemoProject {
    private static final List<String> FILES = List.of("README.md", "sum.sh", "test.sh");
    private static final String PREFIX = "agent-demo-";
    private static final Duration KEPT = Duration.ofDays(1); // long enough to look at it

    /** The hook that finds the script's deliberate typo. */
    static final List<HookCommand> HOOKS =
            List.of(
                    new HookCommand(
                            "syntax-check",
                            "sh -n {file}",
                            List.of("*.sh"),
                            Duration.ofSeconds(10)));

    /** Exactly what the script does in its own folder; everything else is asked as usual. */
    static final List<String> ALLOWED = List.of("edit_file(sum.sh)", "run_command(sh test.sh)");

    private DemoProject() {}

    /** Copies the project into a new folder below {@code parent}; those of past days go. */
    public static Path create(Path parent) throws IOException {
        Path folder = Files.createTempDirectory(parent, PREFIX);
        for (String file : FILES) {
            Files.writeString(folder.resolve(file), Prompts.resource("/demo/" + file));
        }
        removeOld(parent, folder);
        return folder;
    }

    /** What cannot be removed stays: it is no trouble of this run. */
    private static void removeOld(Path parent, Path ours) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            PosixFileAttributes own = attributes(ours);
            for (Path folder : folders) {
                if (!folder.equals(ours)) {
                    removeIfOld(folder, own);
                }
            }
        } catch (IOException | UnsupportedOperationException e) {
            return;
        }
    }

    /**
     * Only a folder that we made, untouched for a day, with nothing in it but the project's own
     * files: the parent is often shared, and a link or a folder of somebody else may stand there
     * under such a name. Others cannot change what is in ours, it is the user's alone.
     */
    private static void removeIfOld(Path folder, PosixFileAttributes ours) throws IOException {
        PosixFileAttributes its = attributes(folder);
        boolean made =
                its.isDirectory()
                        && its.owner().equals(ours.owner())
                        && its.permissions().equals(ours.permissions());
        FileTime yesterday = FileTime.from(Instant.now().minus(KEPT));
        if (!made || its.lastModifiedTime().compareTo(yesterday) > 0) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                boolean known = FILES.contains(file.getFileName().toString());
                if (!known || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    return;
                }
            }
        }
        for (String file : FILES) {
            Files.deleteIfExists(folder.resolve(file));
        }
        Files.delete(folder);
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}
