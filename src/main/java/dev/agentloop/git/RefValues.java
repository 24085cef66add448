package dev.agentloop.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the branches and tags of a repository say, read from its files as git reads them: one of its
 * own counts before a line of the common file. Starts nothing, since it is read before the first
 * command of each run.
 *
 * @param values by full name; of HEAD by the path of the file
 * @param complete whether all could be read
 */
record RefValues(Map<String, String> values, boolean complete) {
    static final String NONE = "-"; // of a branch that is not there
    private static final String LINK = "ref: ";
    private static final int MOST_FILES = 20_000;
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
        Path refs = common.resolve("refs");
        try {
            if (Files.exists(refs)) {
                Files.walkFileTree(
                        refs, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, loose);
            }
        } catch (IOException e) {
            complete = false;
        }
        Path head = own.resolve("HEAD");
        values.put(head.toString(), value(head).orElse(NONE));
        return new RefValues(values, complete && loose.complete);
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
        Map<String, String> changed = new TreeMap<>();
        for (Map.Entry<String, String> one : values.entrySet()) {
            if (!one.getValue().equals(before.of(one.getKey()))) {
                changed.put(one.getKey(), one.getValue());
            }
        }
        for (String name : before.values.keySet()) {
            if (!values.containsKey(name)) {
                changed.put(name, NONE);
            }
        }
        return changed;
    }

    private static boolean packed(Path file, Map<String, String> values) {
        try {
            if (!Files.exists(file)) {
                return true;
            }
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_PACKED) {
                return false;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            for (String line :
                    text.split("\n")) { // "# header", "^what a tag names" or "value name"
                int blank = line.indexOf(' ');
                if (blank > 0 && line.charAt(0) != '#' && line.charAt(0) != '^') {
                    values.put(line.substring(blank + 1).strip(), line.substring(0, blank));
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Empty where there is no such file, or none that could be a branch. */
    private static Optional<String> value(Path file) {
        try {
            if (Files.isSymbolicLink(file)) {
                String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith("refs/")) { // how old versions of git kept it
                    return Optional.of(LINK + target);
                }
            }
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            try (var in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MOST_OF_VALUE);
                String text = new String(bytes, StandardCharsets.UTF_8);
                return Optional.of(text.lines().findFirst().orElse("").strip());
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static final class Loose extends SimpleFileVisitor<Path> {
        private final Path common;
        private final Map<String, String> values;
        private int files;
        private boolean complete = true;

        Loose(Path common, Map<String, String> values) {
            this.common = common;
            this.values = values;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes seen) {
            if (++files > MOST_FILES) {
                complete = false;
                return FileVisitResult.TERMINATE;
            }
            if (!file.toString().endsWith(".lock")) {
                value(file).ifPresent(it -> values.put(common.relativize(file).toString(), it));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            value(file).ifPresent(it -> values.put(common.relativize(file).toString(), it));
            return FileVisitResult
                    .CONTINUE; // a link that leads to nothing is an old kind of branch
        }
    }
}
