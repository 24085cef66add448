package dev.agentloop.tool.builtin.search;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.process.Programs;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.search.ignore.CommonIgnores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks ripgrep, where there is one, which files of a large tree may have a match. It is given an
 * expression and ignore rules that leave out nothing we would find; what it names is then searched
 * as every other file, so the result is the same with it and without.
 */
final class Ripgrep {
    private static final int LARGE = 4_000; // files; fewer are searched before ripgrep has begun
    private static final Duration TRUSTED = Duration.ofMinutes(1); // that ignore files are as seen
    private static final List<String> FLAGS =
            List.of(
                    "--no-config",
                    "--null",
                    "--hidden",
                    "--no-follow",
                    "--text", // we read a file up to its first NUL
                    "--no-mmap",
                    "--no-require-git",
                    "--no-ignore-dot",
                    "--no-ignore-global",
                    "--no-ignore-exclude",
                    "--no-ignore-parent",
                    "--color=never");
    private static final List<String> PACKAGES =
            List.of(
                    "--glob=!.hg/",
                    "--glob=!.svn/",
                    "--glob=!node_modules/",
                    "--glob=!__pycache__/");

    /** Ignore files and repositories: their .git is a folder with a HEAD, or a file. */
    private static final List<String> RULES =
            List.of(
                    "--files",
                    "--glob=.gitignore",
                    "--glob=.rgignore", // no option of all versions leaves them out
                    "--glob=.git",
                    "--glob=HEAD",
                    "--glob=!**/.git/*/");

    private final ProcessRunner processes;
    private final String path;
    private final int large;
    private volatile boolean failed;
    private volatile @Nullable Path knownAsLarge;
    private volatile @Nullable Path common;
    private volatile long commonUntil;

    /**
     * @param path where programs are looked for, as in the variable PATH
     */
    Ripgrep(ProcessRunner processes, String path) {
        this(processes, path, LARGE);
    }

    /**
     * @param large more files than these are a large tree
     */
    Ripgrep(ProcessRunner processes, String path, int large) {
        this.processes = processes;
        this.path = path;
        this.large = large;
    }

    /**
     * A tree to search.
     *
     * @param root what paths are relative to
     * @param start the root or a folder below it
     */
    record Place(Path root, Path start) {
        /** As ripgrep is told it, and as its answers begin. */
        private String argument() {
            return start.equals(root) ? "./" : "./" + root.relativize(start) + "/";
        }
    }

    int large() {
        return large;
    }

    /** Whether the tree has shown to be large before. */
    boolean knowsAsLarge(Path start) {
        return start.equals(knownAsLarge);
    }

    void isLarge(Path start) {
        knownAsLarge = start;
    }

    /**
     * Files that may have a match, in the order of a walk; empty if ripgrep cannot say.
     *
     * @param globs patterns that mean the same to both; none for all files
     */
    Optional<List<String>> files(
            Place place,
            String expression,
            List<String> globs,
            SearchDeadline deadline,
            Cancellation cancellation)
            throws IOException {
        Optional<Path> program =
                failed ? Optional.empty() : Programs.find(path, "rg", place.root());
        if (program.isEmpty()) {
            return Optional.empty();
        }
        Call call = new Call(program.get(), place, deadline, cancellation);
        if (!readsIgnoresAsGit(call)) {
            return Optional.empty();
        }
        List<String> words = new ArrayList<>(List.of("--files-with-matches", "-e", expression));
        globs.forEach(glob -> words.add("--glob=" + glob));
        words.add("--glob=!.git");
        return call.list(words);
    }

    private boolean readsIgnoresAsGit(Call call) throws IOException {
        Path root = call.place.root();
        Path start = call.place.start();
        if (start.equals(common) && System.nanoTime() - commonUntil < 0) {
            return true;
        }
        if (!CommonIgnores.areCommonAround(start)) {
            return false;
        }
        Optional<List<String>> ignores = call.list(RULES);
        if (ignores.isEmpty()) {
            return false;
        }
        for (String file : ignores.get()) {
            boolean nested = file.endsWith("/.git") || file.endsWith("/.git/HEAD");
            if (nested) {
                return false; // ripgrep applies the rules outside of it to what is inside
            }
            if (file.endsWith(".rgignore")) {
                return false;
            }
            if (file.endsWith(".gitignore") && !CommonIgnores.isCommon(root.resolve(file))) {
                return false;
            }
        }
        commonUntil = System.nanoTime() + TRUSTED.toNanos();
        common = start;
        return true;
    }

    /** One search: a process of ripgrep and the reader of its output. */
    private final class Call {
        private final Path program;
        private final Place place;
        private final SearchDeadline deadline;
        private final Cancellation cancellation;

        Call(Path program, Place place, SearchDeadline deadline, Cancellation cancellation) {
            this.program = program;
            this.place = place;
            this.deadline = deadline;
            this.cancellation = cancellation;
        }

        /** Its output goes to a file: the names of a large tree are more than is kept of a pipe. */
        Optional<List<String>> list(List<String> words) throws IOException {
            Path out;
            try {
                out = Files.createTempFile("agent-search", ".list");
            } catch (IOException e) {
                return Optional.empty(); // there is no room for its answer: we search ourselves
            }
            try {
                List<String> argv = new ArrayList<>();
                argv.addAll(List.of("/bin/sh", "-c", "exec \"$@\" >\"$0\"", out.toString()));
                argv.add(program.toString());
                argv.addAll(FLAGS);
                argv.addAll(words);
                argv.addAll(PACKAGES);
                argv.addAll(List.of("--", place.argument()));
                CommandOutcome outcome =
                        processes.run(
                                new CommandRequest(argv, place.root(), deadline.left(), Map.of())
                                        .with(CommandRequest.Reach.TRUSTED),
                                cancellation);
                boolean told = outcome.exitCode() == 0 || outcome.exitCode() == 1; // 1: none
                failed |= outcome.ending() == CommandOutcome.Ending.EXITED && !told;
                deadline.check();
                return told ? names(Files.readAllBytes(out)) : Optional.empty();
            } finally {
                Files.deleteIfExists(out);
            }
        }

        private static Optional<List<String>> names(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (text.indexOf('\uFFFD') >= 0) {
                return Optional.empty(); // a name that is not UTF-8 would be another one for us
            }
            List<String> names = new ArrayList<>();
            for (int from = 0, nul; (nul = text.indexOf('\0', from)) >= 0; from = nul + 1) {
                String name = text.substring(from, nul);
                names.add(name.startsWith("./") ? name.substring(2) : name);
            }
            names.sort(TreeWalk::compare);
            return Optional.of(names);
        }
    }
}
