package dev.agentloop.tool.builtin.command;

import dev.agentloop.storage.Roots;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.builtin.command.ShellWords.Simple;
import dev.agentloop.tool.builtin.command.ShellWords.Word;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;

/**
 * Files of the workspace that a shell command is about to delete or overwrite, as far as its words
 * tell: rm, unlink, shred, truncate, mv, cp, find -delete, {@code > file}, and what git takes back.
 */
final class EndangeredFiles {
    private static final int MAX_FILES = 1_000;
    private static final int MAX_LOOKED_AT = 20_000; // names; a command is not held up for long
    private static final long MAX_BYTES = 50_000_000; // of all files together
    private static final Set<String> BEFORE = // words in front of the program's name
            Set.of("sudo", "command", "env", "time", "nice", "nohup", "exec");
    private static final Set<String> DELETE = Set.of("rm", "unlink", "shred", "truncate");
    private static final Set<String> GIT =
            Set.of(
                    "clean",
                    "checkout",
                    "restore",
                    "reset",
                    "stash",
                    "switch",
                    "rm",
                    "mv",
                    "read-tree",
                    "checkout-index");

    private final Roots roots;
    private final GitChanges git;
    private final Set<Path> found = new LinkedHashSet<>();
    private Path cwd;
    private long bytes;
    private int lookedAt;

    /** Names what git would take back; empty if that cannot be known in time. */
    @FunctionalInterface
    interface GitChanges {
        /**
         * What is changed or untracked, what differs from the commits that the words name, and what
         * is tracked below the paths that they name.
         *
         * @param words the verb and what follows it
         */
        Optional<List<Path>> in(Path folder, List<String> words);
    }

    private EndangeredFiles(Roots roots, Path cwd, GitChanges git) {
        this.roots = roots;
        this.cwd = cwd;
        this.git = git;
    }

    /**
     * In no order; also names that are free, if the command fills them.
     *
     * @return empty if they are too many to be kept
     */
    static Optional<Set<Path>> of(String command, Path cwd, Workspace workspace, GitChanges git) {
        EndangeredFiles files = new EndangeredFiles(workspace.roots(), cwd, git);
        try {
            for (Simple simple : ShellWords.of(command)) {
                files.look(simple);
            }
        } catch (IOException | InvalidPathException | TooMany e) {
            return Optional.empty();
        }
        return Optional.of(files.found);
    }

    private static final class TooMany extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private void look(Simple command) throws IOException, TooMany {
        for (Word file : command.overwritten()) {
            add(cwd.resolve(file.text()));
        }
        List<Word> words = new ArrayList<>(command.words());
        while (!words.isEmpty() && isBefore(words.getFirst().text())) {
            words.removeFirst();
        }
        if (words.isEmpty()) {
            return;
        }
        String program = words.removeFirst().text();
        program = program.substring(program.lastIndexOf('/') + 1);
        if (DELETE.contains(program)) {
            for (Path path : paths(words)) {
                addAll(path, _ -> true);
            }
        } else if (program.equals("mv") || program.equals("cp")) {
            lookAtMove(program.equals("mv"), paths(words));
        } else if (program.equals("find")) {
            lookAtFind(words);
        } else if (program.equals("git")) {
            lookAtGit(words.stream().map(Word::text).toList());
        } else if (program.equals("cd") && words.size() == 1) {
            cwd = cwd.resolve(words.getFirst().text()).normalize();
        }
    }

    private static boolean isBefore(String word) {
        return BEFORE.contains(word) || word.indexOf('=') > 0; // NAME=value
    }

    private void lookAtGit(List<String> words) throws IOException, TooMany {
        int verb = 0;
        while (verb < words.size() && !GIT.contains(words.get(verb))) {
            verb++;
        }
        if (verb == words.size()) {
            return;
        }
        Path folder = cwd;
        for (int i = 1; i < verb; i++) {
            folder = words.get(i - 1).equals("-C") ? folder.resolve(words.get(i)) : folder;
        }
        List<String> rest = words.subList(verb, words.size());
        for (Path path : git.in(folder.normalize(), rest).orElseThrow(TooMany::new)) {
            add(path);
        }
    }

    private void lookAtMove(boolean moves, List<Path> paths) throws IOException, TooMany {
        if (paths.size() < 2) {
            return;
        }
        Path target = paths.getLast();
        for (Path source : paths.subList(0, paths.size() - 1)) {
            boolean into = Files.isDirectory(target);
            Path to = into ? target.resolve(String.valueOf(source.getFileName())) : target;
            for (Path file : below(source, _ -> true)) {
                if (moves) {
                    add(file);
                }
                add(file.equals(source) ? to : to.resolve(source.relativize(file)));
            }
        }
    }

    private void lookAtFind(List<Word> words) throws IOException, TooMany {
        List<String> texts = words.stream().map(Word::text).toList();
        if (!texts.contains("-delete") && !texts.contains("rm")) {
            return;
        }
        int paths = 0;
        while (paths < texts.size() && !texts.get(paths).matches("[-(!].*")) {
            paths++;
        }
        int name = texts.indexOf("-name") + 1;
        Predicate<Path> wanted =
                name > 0 && name < texts.size() ? named(texts.get(name)) : _ -> true;
        for (Path path : paths == 0 ? List.of(cwd) : paths(words.subList(0, paths))) {
            addAll(path, wanted);
        }
    }

    private Predicate<Path> named(String pattern) {
        try {
            var matcher = cwd.getFileSystem().getPathMatcher("glob:" + pattern);
            return path -> path.getFileName() != null && matcher.matches(path.getFileName());
        } catch (PatternSyntaxException e) {
            return _ -> true;
        }
    }

    /** What the words name that are no options. */
    private List<Path> paths(List<Word> words) throws IOException {
        List<Path> paths = new ArrayList<>();
        boolean options = true;
        for (Word word : words) {
            if (options && word.text().startsWith("-")) {
                options = !word.text().equals("--");
            } else if (word.pattern()) {
                paths.addAll(matching(cwd.resolve(word.text())));
            } else if (!word.text().isEmpty()) {
                paths.add(cwd.resolve(word.text()).normalize());
            }
        }
        return paths;
    }

    private static List<Path> matching(Path pattern) throws IOException {
        Path folder = pattern.getParent();
        Path last = pattern.getFileName();
        List<Path> paths = new ArrayList<>();
        if (folder == null || last == null || !Files.isDirectory(folder)) {
            return paths;
        }
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder, last.toString())) {
            names.forEach(path -> paths.add(path.normalize()));
        } catch (PatternSyntaxException | DirectoryIteratorException e) {
            throw new IOException(e);
        }
        return paths;
    }

    private void addAll(Path path, Predicate<Path> wanted) throws IOException, TooMany {
        for (Path file : below(path, wanted)) {
            add(file);
        }
    }

    /** All files at or below {@code path} that are there. */
    private List<Path> below(Path path, Predicate<Path> wanted) throws IOException, TooMany {
        List<Path> files = new ArrayList<>();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) {
                        return folder.endsWith(".git") || !roots.hold(folder)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
                        lookedAt++;
                        if (wanted.test(file)) {
                            files.add(file);
                        }
                        return files.size() > MAX_FILES || lookedAt > MAX_LOOKED_AT
                                ? FileVisitResult.TERMINATE
                                : FileVisitResult.CONTINUE;
                    }
                });
        if (lookedAt > MAX_LOOKED_AT) {
            throw new TooMany();
        }
        return files;
    }

    /** A file of the workspace, or a free name in it, by its real path. */
    private void add(Path named) throws IOException, TooMany {
        Path path = named.normalize();
        Path folder = path.getParent();
        while (folder != null && !Files.isDirectory(folder)) {
            folder = folder.getParent();
        }
        if (folder == null) {
            return;
        }
        Path file = folder.toRealPath().resolve(folder.relativize(path));
        boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        boolean keepable =
                !there
                        || Files.isSymbolicLink(file)
                        || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        boolean ours = roots.hold(file) && !roots.all().contains(file);
        if (!ours || !keepable || !found.add(file)) {
            return;
        }
        bytes += there ? Files.size(file) : 0;
        if (found.size() > MAX_FILES || bytes > MAX_BYTES) {
            throw new TooMany();
        }
    }
}
