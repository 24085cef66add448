package dev.agentloop.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the branches and tags of a repository say, and the HEAD of each of its work trees, read from
 * their files as git reads them: one of its own counts before a line of the common file. Starts
 * nothing, since it is read before the first command of each run.
 *
 * @param values by full name; names that git refuses are left out
 * @param complete whether all could be read, from files that nothing but git writes to
 */
record RefValues(Map<String, String> values, boolean complete) {
    static final String NONE = "-"; // of a branch that is not there
    private static final String LINK = "ref: ";
    private static final int MOST_FILES = 20_000;
    private static final int MOST_TEXT = 8 * 1024 * 1024; // characters of names, loose ones
    private static final int MOST_OF_VALUE = 1_000; // bytes: a hash or the name of another branch
    private static final long MOST_PACKED = 16 * 1024 * 1024; // bytes, 200,000 branches
    private static final int MOST_LINKS = 5; // as many as git follows

    /**
     * As they are now.
     *
     * @param common folder of the repository
     * @param own folder of the work tree whose HEAD counts
     */
    static RefValues now(Path common, Path own) {
        TreeMap<String, String> values = new TreeMap<>();
        boolean complete = packed(common.resolve("packed-refs"), values);
        Loose loose = new Loose(common, values);
        try {
            Path refs = common.resolve("refs");
            if (Files.exists(refs, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(refs, loose);
            }
            loose.head(common);
            loose.head(own);
            heads(common.resolve("worktrees"), loose);
        } catch (IOException e) {
            complete = false;
        }
        return new RefValues(values, complete && loose.complete);
    }

    private static void heads(Path worktrees, Loose loose) throws IOException {
        if (!Files.exists(worktrees, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isDirectory(worktrees, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(worktrees + " is a link");
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(worktrees)) {
            for (Path one : all) {
                loose.head(one);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** How a HEAD is called here: relative to the folder of the repository. */
    static String head(Path common, Path own) {
        Path file = own.resolve("HEAD");
        return (file.startsWith(common) ? common.relativize(file) : file).toString();
    }

    String of(String name) {
        return values.getOrDefault(name, NONE);
    }

    /** A name and those that it leads to. */
    List<String> chain(String name) {
        List<String> names = new ArrayList<>(List.of(name));
        String value = of(name);
        while (value.startsWith(LINK) && names.size() <= MOST_LINKS) {
            String next = value.substring(LINK.length()).strip();
            names.add(next);
            value = of(next);
        }
        return names;
    }

    /** What has another value now than it had before, or none. */
    Map<String, String> changedSince(RefValues before) {
        Set<String> names = new HashSet<>(values.keySet());
        names.addAll(before.values.keySet());
        Map<String, String> changed = new TreeMap<>();
        for (String name : names) {
            if (!of(name).equals(before.of(name))) {
                changed.put(name, of(name));
            }
        }
        return changed;
    }

    /** Whether nothing can be hidden in the common file: a link, or two lines for one name. */
    private static boolean packed(Path file, Map<String, String> values) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
            if (!isPlain(file) || Files.size(file) > MOST_PACKED) {
                return false;
            }
            boolean once = true;
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            for (String line :
                    text.split("\n")) { // "# header", "^what a tag names" or "value name"
                int blank = line.indexOf(' ');
                if (blank > 0 && line.charAt(0) != '#' && line.charAt(0) != '^') {
                    String name = line.substring(blank + 1).strip();
                    once &= !isName(name) || values.put(name, line.substring(0, blank)) == null;
                }
            }
            return once;
        } catch (IOException e) {
            return false;
        }
    }

    /** A file of its own, which nothing changes under another name. */
    private static boolean isPlain(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        boolean counted = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        return !counted
                || Files.getAttribute(file, "unix:nlink") instanceof Integer links && links == 1;
    }

    /** Git knows none with a blank or a control character; one that is no text is not asked for. */
    private static boolean isName(String name) {
        return name.chars().allMatch(c -> c > ' ' && c != 0x7f && c != 0xfffd);
    }

    /**
     * Empty where there is no such file.
     *
     * @throws IOException if what it says cannot be known, or may become another without git
     */
    private static Optional<String> value(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            String target = Files.readSymbolicLink(file).toString();
            if (target.startsWith("refs/")) { // how old versions of git kept it
                return Optional.of(LINK + target);
            }
        }
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) && Files.notExists(file)) {
            return Optional.empty();
        }
        if (!isPlain(file)) {
            throw new IOException(file + " is no file of its own");
        }
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_OF_VALUE);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return Optional.of(text.lines().findFirst().orElse("").strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static final class Loose extends SimpleFileVisitor<Path> {
        private final Path common;
        private final Map<String, String> values;
        private int files;
        private long length;
        private boolean complete = true;

        Loose(Path common, Map<String, String> values) {
            this.common = common;
            this.values = values;
        }

        void head(Path own) {
            add(own.resolve("HEAD"), RefValues.head(common, own));
        }

        private void add(Path file, String name) {
            length += name.length();
            if (++files > MOST_FILES || length > MOST_TEXT) {
                complete = false;
                return;
            }
            try {
                value(file).filter(_ -> isName(name)).ifPresent(it -> values.put(name, it));
            } catch (IOException e) {
                complete = false;
            }
        }

        private FileVisitResult next() {
            return complete ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes seen) {
            if (!file.toString().endsWith(".lock")) {
                add(file, common.relativize(file).toString());
            }
            return next();
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            complete &= e instanceof NoSuchFileException; // git removes what is empty at any time
            return next();
        }
    }
}
