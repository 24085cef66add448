package dev.agentloop.sandbox.git.file;

import dev.agentloop.controlfile.FolderEntries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Files as the kernel finds them: links are followed before {@code ..} is, and none is trusted. */
public final class GitFiles {
    public static final int MOST_SETTINGS = 1024 * 1024; // bytes
    private static final int MOST_POINTER = 1024 * 1024; // git takes no longer one
    private static final int DIGEST = 32; // hexadecimal digits: two alike take 2^64 attempts
    private static final Pattern AT_THE_END = Pattern.compile("\\s+[x-]?[0-9a-f]{" + DIGEST + "}$");
    private static final int MOST_DIGESTED = 16 * 1024 * 1024;
    private static final long YOUNG_MILLIS = 50; // clocks of file systems tick every 1 to 10 ms
    private static final long WHOLE_SECONDS_MILLIS = 2500; // but of some every one or two seconds
    private static final int MOST_SHOWN = 200; // characters
    private static final String POINTER = "gitdir: ";
    private static final String STAMP = "unix:mode,ino,ctime,size";
    private static final String LINK = " link";
    private static final List<Path> KERNEL =
            List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));
    private static final int TYPE = 0170000; // of st_mode
    private static final int SYMLINK = 0120000;

    private GitFiles() {}

    /**
     * Number, time of the last change and size; nobody can set that time.
     *
     * @param young whether another change could have the same time
     */
    public record Stamp(String text, boolean young) {
        static final Stamp NONE = new Stamp("", false);

        public boolean link() {
            return text.contains(LINK);
        }
    }

    /** Of a file itself and, if it is a link, of what it leads to. */
    public static Stamp stamp(Path file) {
        Stamp own = stamp(file, LinkOption.NOFOLLOW_LINKS);
        if (!own.text.endsWith(LINK)) {
            return own;
        }
        Stamp target = stamp(file, new LinkOption[0]);
        return new Stamp(own.text + " " + target.text, own.young || target.young);
    }

    /**
     * Thousands are taken for each command: to show the time as a date takes longer than a stat.
     */
    public static Stamp stamp(Path file, LinkOption... links) {
        try {
            Map<String, Object> seen = Files.readAttributes(file, STAMP, links);
            long nanos = seen.get("ctime") instanceof FileTime at ? at.to(TimeUnit.NANOSECONDS) : 0;
            boolean link = seen.get("mode") instanceof Integer mode && (mode & TYPE) == SYMLINK;
            long settled = nanos % 1_000_000_000 == 0 ? WHOLE_SECONDS_MILLIS : YOUNG_MILLIS;
            boolean young = System.currentTimeMillis() - nanos / 1_000_000 < settled;
            String text = seen.get("ino") + " " + nanos + " " + seen.get("size");
            return new Stamp(link ? text + LINK : text, young);
        } catch (IOException e) {
            return Stamp.NONE;
        }
    }

    /** Of what a name leads to; empty if that is nothing. */
    public static String inode(Path file) {
        return stamp(file, new LinkOption[0]).text.split(" ", 2)[0];
    }

    /** What an entry of a folder is itself, wherever it leads. */
    public enum Type {
        FOLDER,
        LINK,
        OTHER
    }

    public static Type type(Path entry) {
        try {
            BasicFileAttributes seen =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return seen.isDirectory()
                    ? Type.FOLDER
                    : seen.isSymbolicLink() ? Type.LINK : Type.OTHER;
        } catch (IOException e) {
            return Type.OTHER; // it has just gone
        }
    }

    public static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether there is a hard link to it somewhere. */
    public static boolean hasSecondName(Path file) {
        try {
            return Files.getAttribute(file, "unix:nlink") instanceof Integer names && names > 1;
        } catch (IOException e) {
            return false;
        }
    }

    /** Empty if there is none, it is no ordinary file, or it is longer. */
    public static Optional<byte[]> bytes(Path file, int most) {
        if (!Files.isRegularFile(file) || isOfKernel(file)) { // a pipe would never end
            return Optional.empty();
        }
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            return bytes.length > most ? Optional.empty() : Optional.of(bytes);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The kernel makes such files while they are read: some wait for ever, or change something. */
    private static boolean isOfKernel(Path file) {
        Path real = real(file);
        return real == null || KERNEL.stream().anyMatch(real::startsWith);
    }

    public static String text(Path file, int most) {
        return bytes(file, most).map(all -> new String(all, StandardCharsets.UTF_8)).orElse("");
    }

    /** Of the content; of the stamp if that is too long, or cannot be read. */
    public static String digest(Path file) {
        byte[] content =
                bytes(file, MOST_DIGESTED)
                        .orElseGet(() -> stamp(file).text.getBytes(StandardCharsets.UTF_8));
        return shortened(content);
    }

    /** Tells texts apart without saying what they are. */
    public static String digest(String text) {
        return shortened(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What people are told does not end in a digest, which only tells two texts apart. */
    public static String withoutDigest(String text) {
        return AT_THE_END.matcher(text).replaceFirst("");
    }

    private static String shortened(byte[] content) {
        return HexFormat.of().formatHex(hash("SHA-256").digest(content)).substring(0, DIGEST);
    }

    public static MessageDigest hash(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its real path; null if there is nothing. */
    public static @Nullable Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return null;
        }
    }

    /** Names and values come from commands: on one line, and not a long one. */
    public static String oneLine(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
    }

    /** Also as file systems take it that do not tell cases apart. */
    public static boolean isGit(Path entry) {
        String lower = String.valueOf(entry.getFileName()).toLowerCase(Locale.ROOT);
        return lower.equals(".git") || lower.equals("git~1");
    }

    /** As git decides it, which asks for the names only: each may be a link to somewhere else. */
    public static boolean isStore(Path folder) {
        return isThere(folder.resolve("HEAD"))
                && (isThere(folder.resolve("commondir"))
                        || isThere(folder.resolve("objects")) && isThere(folder.resolve("refs")));
    }

    /** Whether it is a repository, or a part of one. */
    public static boolean isInStore(Path folder, Path root) {
        for (Path at = folder; at != null && at.startsWith(root); at = at.getParent()) {
            if (isGit(at) || isStore(at)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a checkout can write to a repository: git refuses only names such as .git. */
    public static boolean isWithin(Path store, Path tree) {
        if (!store.startsWith(tree)) {
            return false;
        }
        for (Path name : tree.relativize(store)) {
            if (isGit(name)) {
                return false;
            }
        }
        return true;
    }

    /** What a {@code .git} stands for: itself, or where it leads; null if that is nothing. */
    public static @Nullable Path store(Path git) {
        if (!Files.isRegularFile(git)) {
            return real(git);
        }
        Path target = pointed(git);
        return target == null ? null : real(target);
    }

    /** Where a file {@code .git} says that the rest is; null if it does not, or is a link. */
    static @Nullable Path pointed(Path git) {
        if (!Files.isRegularFile(git)) {
            return linked(git);
        }
        String said = text(git, MOST_POINTER);
        return said.startsWith(POINTER) ? target(git, said.substring(POINTER.length())) : null;
    }

    /** How far the kernel comes on the way that a pointer says; null if it says none. */
    public static @Nullable Path reached(Path git) {
        Path target = pointed(git);
        while (target != null) {
            Path real = real(target);
            if (real != null) {
                return real;
            }
            target = target.getParent();
        }
        return null;
    }

    /** Whether git reads a file {@code .git} as a pointer, even if we cannot tell to where. */
    public static boolean isPointer(Path git) {
        return Files.isRegularFile(git) && text(git, MOST_POINTER).startsWith(POINTER.strip());
    }

    private static @Nullable Path linked(Path link) {
        try {
            return link.resolveSibling(Files.readSymbolicLink(link));
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Where a pointer says that something is; null if that is no path. */
    public static @Nullable Path target(Path pointer, String said) {
        String path = said.indexOf('\0') < 0 ? said : said.substring(0, said.indexOf('\0'));
        int end = path.length();
        while (end > 0 && (path.charAt(end - 1) == '\n' || path.charAt(end - 1) == '\r')) {
            end--;
        }
        try {
            return path.indexOf('\ufffd') >= 0 || end == 0
                    ? null
                    : pointer.resolveSibling(path.substring(0, end));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Where the file {@code commondir} leads to; null if there is none. */
    public static @Nullable Path common(Path store) {
        Path file = store.resolve("commondir");
        String said = text(file, MOST_POINTER);
        Path target = said.isEmpty() ? null : target(file, said);
        return target == null ? null : real(target);
    }

    /** In no order; none if it is no folder. */
    public static List<Path> entries(Path folder) {
        return entries(folder, _ -> true);
    }

    /** Those before the first that is not wanted. */
    public static List<Path> entries(Path folder, Predicate<Path> wanted) {
        List<Path> found = new ArrayList<>();
        try {
            FolderEntries.show(folder, entry -> wanted.test(entry) && found.add(entry));
        } catch (IOException e) {
            return found;
        }
        return found;
    }
}
