package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is mounted where for a process, from its {@code /proc/PID/mountinfo}, in no order: what
 * covers what, their numbers say. Paths are byte strings: one character for each byte.
 */
public final class MountTable {
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");
    private static final Charset BYTES = StandardCharsets.ISO_8859_1; // paths may be no text at all
    private static final int NUMBER = 0; // fields of a line, see proc(5)
    private static final int PARENT = 1;
    private static final int DEVICE = 2;
    private static final int ROOT = 3;
    private static final int POINT = 4;
    private static final int OPTIONS = 5;

    private final List<Mount> mounts;
    private final Map<Place, Mount> byPlace = new HashMap<>();
    private final Optional<Mount> first;

    public MountTable(List<Mount> mounts) {
        this.mounts = mounts;
        Set<String> numbers = new HashSet<>();
        for (Mount mount : mounts) {
            numbers.add(mount.number());
            byPlace.put(new Place(mount.parent(), mount.point()), mount);
        }
        this.first =
                mounts.stream()
                        .filter(mount ->
                                mount.point().equals("/") && !numbers.contains(mount.parent()))
                        .findFirst();
    }

    /** On one mount at most one other is mounted at a place: a later one is on that. */
    private record Place(String parent, String point) {}

    /**
     * One mount, as one line of the table tells of it.
     *
     * @param parent the mount that it is mounted on: its number, as of the first parameter
     * @param point where it is mounted
     * @param source which file or folder is mounted there
     * @param type of the file system, as {@code tmpfs}
     */
    public record Mount(
            String number,
            String parent,
            String point,
            Source source,
            boolean readOnly,
            String type) {}

    /**
     * A file or folder, whatever it is called elsewhere.
     *
     * @param device of the file system
     * @param path within the file system
     */
    public record Source(String device, String path) {}

    /** Empty if the process has ended. */
    public static MountTable of(Path mountinfo) {
        List<Mount> mounts = new ArrayList<>();
        for (String line : lines(mountinfo)) {
            String[] fields = line.split(" ");
            if (fields.length > OPTIONS) {
                String[] behind = line.substring(line.indexOf(" - ") + 1).split(" ");
                Source source = new Source(fields[DEVICE], unescaped(fields[ROOT]));
                boolean readOnly = ("," + fields[OPTIONS] + ",").contains(",ro,");
                String point = unescaped(fields[POINT]);
                mounts.add(
                        new Mount(
                                fields[NUMBER],
                                fields[PARENT],
                                point,
                                source,
                                readOnly,
                                behind[1]));
            }
        }
        return new MountTable(mounts);
    }

    private static String[] lines(Path mountinfo) {
        try {
            return Files.readString(mountinfo, BYTES).split("\n");
        } catch (IOException e) {
            return new String[0]; // of an ended process the kernel tells no mounts
        }
    }

    /** All of them, in no order. */
    public List<Mount> mounts() {
        return mounts;
    }

    /** A path as such a table has it. */
    static String bytes(String path) {
        return new String(path.getBytes(StandardCharsets.UTF_8), BYTES);
    }

    /** What is on top there, if something is mounted at this very place. */
    Optional<Mount> at(String point) {
        return over(point).filter(mount -> mount.point().equals(point));
    }

    /**
     * What a path without links leads to.
     *
     * @param path absolute
     */
    Optional<Source> source(String path) {
        return over(path)
                .map(mount ->
                        new Source(
                                mount.source().device(),
                                moved(path, mount.point(), mount.source().path())));
    }

    /** The mount that a path leads into, name by name, as the kernel goes. */
    private Optional<Mount> over(String path) {
        if (first.isEmpty()) {
            return first;
        }
        Mount over = on(first.get(), "/");
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            over = on(over, path.substring(0, end));
        }
        return Optional.of(on(over, path));
    }

    /** The topmost at a place, beginning with the one that the place is in. */
    private Mount on(Mount below, String point) {
        Mount top = below;
        for (Mount next = top; next != null; ) {
            top = next;
            next = byPlace.get(new Place(top.number(), point));
        }
        return top;
    }

    /** Whether a path is this folder or in it. */
    static boolean isIn(String path, String folder) {
        return path.startsWith(folder)
                && (path.length() == lengthOf(folder) || path.charAt(lengthOf(folder)) == '/');
    }

    /** Of what stands before the slash and the name of an entry. */
    private static int lengthOf(String folder) {
        return folder.equals("/") ? 0 : folder.length();
    }

    /** A path in one folder as it would be in another. */
    static String moved(String path, String from, String to) {
        String moved = to.substring(0, lengthOf(to)) + path.substring(lengthOf(from));
        return moved.isEmpty() ? "/" : moved;
    }

    /** Blanks and backslashes stand there as octal numbers. */
    private static String unescaped(String path) {
        return path.indexOf('\\') < 0
                ? path
                : OCTAL.matcher(path)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(
                                        String.valueOf(
                                                (char) Integer.parseInt(found.group(1), 8))));
    }
}
