package dev.agentloop.sandbox;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file that tells, while commands run in a workspace, what this program still has to clean up
 * there: for its next start, if it is killed meanwhile and all that watches over it as well.
 */
final class RunRecord {
    /** Nothing is kept. */
    static final RunRecord NONE = new RunRecord(null, Path.of("/"));

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String END = "end"; // a text without it was cut off
    private static final int MOST = 1024 * 1024; // bytes

    private final @Nullable Path file;
    private final Set<Path> placeholders = new LinkedHashSet<>();
    private final Map<Object, Map<Path, ControlLook>> commands = new LinkedHashMap<>();
    private final Path workspace;
    private @Nullable Path folder;

    private RunRecord(@Nullable Path file, Path workspace) {
        this.file = file;
        this.workspace = workspace;
    }

    /**
     * Of this process.
     *
     * @param records a folder that commands do not see; made when it is needed
     */
    static RunRecord of(Path records, Path workspace) {
        String mark = LivingMark.ofThisProcess().strip().replace(' ', '-');
        String name = prefix(workspace) + mark + "-" + COUNT.incrementAndGet();
        return new RunRecord(records.resolve(name), workspace);
    }

    private static String prefix(Path workspace) {
        return Long.toHexString(workspace.toString().hashCode() & 0xffffffffL) + "-";
    }

    /**
     * What a record holds.
     *
     * @param alive whether its run has not ended
     * @param commandRan whether a command was running, and so {@code controls} and {@code missing}
     *     say how control files were before it
     */
    record Left(
            Path file,
            boolean alive,
            List<Path> folders,
            List<Path> placeholders,
            Map<Path, String> controls,
            Set<Path> missing,
            boolean commandRan) {}

    /** Those of all runs in this workspace. */
    static List<Left> all(Path records, Path workspace) {
        List<Left> left = new ArrayList<>();
        if (!Files.isDirectory(records)) {
            return left;
        }
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(records, prefix(workspace) + "*")) {
            for (Path file : files) {
                String[] parts = String.valueOf(file.getFileName()).split("-");
                if (parts.length == 4 && Files.size(file) <= MOST) {
                    read(file, LivingMark.lives(parts[1], parts[2]), workspace, left);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return left; // the next start tries again
        }
        return left;
    }

    private static void read(Path file, boolean alive, Path workspace, List<Left> left)
            throws IOException {
        List<Path> folders = new ArrayList<>();
        List<Path> placeholders = new ArrayList<>();
        Map<Path, String> controls = new HashMap<>();
        Set<Path> missing = new HashSet<>();
        Set<String> words = new HashSet<>();
        boolean here = false;
        for (String line : Files.readString(file).split("\n")) {
            String[] parts = line.split(" ");
            words.add(parts[0]);
            Path path = parts.length < 2 ? workspace : decoded(parts[1]);
            switch (parts[0]) {
                case "workspace" -> here = path.equals(workspace);
                case "folder" -> folders.add(path);
                case "placeholder" -> placeholders.add(path);
                case "control" -> controls.put(path, parts.length < 3 ? "" : parts[2]);
                case "missing" -> missing.add(path);
                default -> {}
            }
        }
        if (here) {
            boolean ran = words.contains("command") && words.contains(END);
            left.add(new Left(file, alive, folders, placeholders, controls, missing, ran));
        }
    }

    /** The folder for what all commands of the run share, which goes with the run. */
    synchronized void folder(Path path) {
        folder = path;
    }

    /** What is in the workspace only because something is mounted over it. */
    synchronized void placeholders(Set<Path> all) {
        if (!placeholders.equals(all)) {
            placeholders.clear();
            placeholders.addAll(all);
            write();
        }
    }

    /** A command is about to start. */
    synchronized void begin(Object command, Map<Path, ControlLook> controls) {
        commands.put(command, controls);
        write();
    }

    /** It has ended, and what it did was looked at. */
    synchronized void end(Object command) {
        commands.remove(command);
        write();
    }

    /** Without a record nothing is lost but what only a killed run would need. */
    private void write() {
        if (file == null) {
            return;
        }
        try {
            if (placeholders.isEmpty() && commands.isEmpty()) {
                Files.deleteIfExists(file);
                return;
            }
            if (file.getParent() != null && !Files.isDirectory(file.getParent())) {
                Files.createDirectories(
                        file.getParent(),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
            Files.writeString(file, text());
        } catch (IOException e) {
            return; // a full disk, or nothing may be written there
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        line(text, "workspace", workspace, "");
        if (folder != null) {
            line(text, "folder", folder, "");
        }
        placeholders.forEach(path -> line(text, "placeholder", path, ""));
        if (!commands.isEmpty()) { // all others began later
            text.append("command\n");
            commands.values()
                    .iterator()
                    .next()
                    .forEach((path, look) -> {
                        if (!look.isNothing()) {
                            line(text, "control", path, " " + look.digest());
                        }
                        look.missingTargets(workspace).forEach(to -> line(text, "missing", to, ""));
                    });
        }
        return text.append(END).append('\n').toString();
    }

    private static void line(StringBuilder text, String word, Path path, String more) {
        text.append(word).append(' ');
        text.append(URLEncoder.encode(path.toString(), StandardCharsets.UTF_8));
        text.append(more).append('\n');
    }

    private static Path decoded(String text) {
        return Path.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
    }
}
