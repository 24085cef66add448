package dev.agentloop.tool.builtin.search;

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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks ripgrep, where there is one, which files of a large tree may have a match. It is given an
 * expression, and of the ignore rules those that leave out nothing we would find; what it names is
 * then searched as every other file, so the result is the same with it and without.
 */
final class Ripgrep {
    private static final String GIT = ".git";
    private static final String GITIGNORE = ".gitignore";
    private static final int LARGE = 1_000; // files; fewer are searched before ripgrep has begun
    private static final Duration TRUSTED = Duration.ofMinutes(5); // that ignore files are as seen
    private static final Duration PATIENCE = Duration.ofSeconds(4); // most trees take less
    private static final List<String> FLAGS =
            List.of(
                    "--no-config",
                    "--null",
                    "--hidden",
                    "--no-follow",
                    "--binary", // we read a file up to its first NUL
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

    /** Other letters equal these when case is ignored, as the Kelvin sign a k. */
    private static final Pattern OTHER_LETTERS = Pattern.compile("[iks]");

    private final ProcessRunner processes;
    private final String path;
    private final int large;
    private final Duration patience;
    private final FindProgram find;
    private volatile boolean failed;
    private volatile @Nullable Path knownAsLarge;
    private volatile @Nullable Verdict verdict;
    private volatile @Nullable Path slow;

    /**
     * @param path where programs are looked for, as in the variable PATH
     */
    Ripgrep(ProcessRunner processes, String path) {
        this(processes, path, LARGE, PATIENCE);
    }

    /**
     * @param large more files than these are a large tree
     * @param patience after which a tree is taken to have files that are too large for ripgrep
     */
    Ripgrep(ProcessRunner processes, String path, int large, Duration patience) {
        this.processes = processes;
        this.path = path;
        this.large = large;
        this.patience = patience;
        this.find = new FindProgram(processes, path);
    }

    /**
     * A tree to search.
     *
     * @param root what paths are relative to
     * @param start the root or a folder below it
     */
    record Place(Path root, Path start) {
        /** As a program is told it, and as its answers begin. */
        String argument() {
            return start.equals(root) ? "./" : "./" + root.relativize(start) + "/";
        }

        /** A name of such an answer as seen from the root. */
        static String relative(String answer) {
            return answer.startsWith("./") ? answer.substring(2) : answer;
        }
    }

    int large() {
        return large;
    }

    /** Whether the last tree that it was asked about has ignore files. */
    boolean knowsRules() {
        Verdict last = verdict;
        return last != null && last.rules;
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
            Place place, String expression, List<String> globs, SearchDeadline deadline)
            throws IOException {
        Optional<Call> asked = call(place, deadline);
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        Call call = asked.get();
        List<String> words = new ArrayList<>(List.of("--files-with-matches", "-e", expression));
        globs.forEach(glob -> words.add("--glob=" + glob));
        words.add("--glob=!.git");
        if (remembered(call).isPresent() || !mostLikelyCommon(place)) {
            return search(call, words, ignores(call));
        }
        FutureTask<Ignores> look = new FutureTask<>(() -> ignores(call));
        Thread.ofPlatform().daemon().name("search-rules").start(look);
        try {
            Optional<ListedNames> early = attempt(call, words, Ignores.OF_TREE);
            if (failed || early.isEmpty()) {
                return Optional.empty();
            }
            Ignores right = result(look, deadline);
            return right == Ignores.OF_TREE && !early.get().wasTooSlow()
                    ? early.flatMap(ListedNames::names).map(Call::inOrder)
                    : search(call, words, right);
        } finally {
            look.cancel(true);
        }
    }

    private Optional<List<String>> search(Call call, List<String> words, Ignores ignores)
            throws IOException {
        if (!call.place.start().equals(slow)) {
            Optional<ListedNames> listed = attempt(call, words, ignores);
            if (listed.isEmpty() || !listed.get().wasTooSlow()) {
                return listed.flatMap(ListedNames::names).map(Call::inOrder);
            }
        }
        return withoutLarge(call, words, ignores);
    }

    /** A disk image, or a log of many gigabytes, can hold the search up. */
    private Optional<ListedNames> attempt(Call call, List<String> words, Ignores ignores)
            throws IOException {
        Optional<ListedNames> listed =
                call.run(words, ignores, shorter(patience, call.deadline.left()));
        if (listed.isPresent() && listed.get().wasTooSlow()) {
            slow = call.place.start();
        }
        return listed;
    }

    private static Ignores result(FutureTask<Ignores> look, SearchDeadline deadline)
            throws IOException {
        try {
            return deadline.await(look);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(e.getCause());
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Leaves the largest files to us: of a binary one we read no more than the beginning. */
    private Optional<List<String>> withoutLarge(Call call, List<String> words, Ignores ignores)
            throws IOException {
        List<String> small = new ArrayList<>(words);
        small.add("--max-filesize=" + FindProgram.LARGE_FILE);
        Optional<List<String>> found = call.list(small, ignores);
        boolean everywhere = ignores == Ignores.NONE;
        Optional<List<String>> rest =
                found.isEmpty() ? found : find.large(call.place, everywhere, call.deadline);
        return rest.map(files ->
                Stream.concat(found.orElseThrow().stream(), files.stream())
                        .sorted(TreeWalk::compare)
                        .toList());
    }

    /**
     * Files with one of these words in their name, in the order of a walk, and some others; empty
     * if it cannot say.
     *
     * @param words of letters and digits
     */
    Optional<List<String>> named(Place place, List<String> words, SearchDeadline deadline)
            throws IOException {
        Optional<Call> call = call(place, deadline);
        if (call.isEmpty()) {
            return Optional.empty();
        }
        List<String> argv = new ArrayList<>(List.of("--files"));
        if (StandardCharsets.US_ASCII.newEncoder().canEncode(String.join("", words))) {
            words.forEach(word ->
                    argv.add("--iglob=*" + OTHER_LETTERS.matcher(word).replaceAll("?") + "*"));
        }
        argv.add("--glob=!.git");
        return call.get().list(argv, ignores(call.get()));
    }

    private Optional<Call> call(Place place, SearchDeadline deadline) {
        return failed
                ? Optional.empty()
                : Programs.find(path, "rg", place.root())
                        .map(program -> new Call(program, place, deadline));
    }

    /** Which ignore rules it may apply by itself; the rest of them we apply to what it names. */
    private enum Ignores {
        /** Those of the tree mean the same to both. */
        OF_TREE(List.of()),
        /** None of the tree's; folders of packages are left out all the same. */
        OF_PACKAGES(List.of("--no-ignore")),
        /** None: the tree brings back what is usually left out. */
        NONE(List.of("--no-ignore"));

        private final List<String> flags;

        Ignores(List<String> flags) {
            this.flags = flags;
        }
    }

    private Optional<Ignores> remembered(Call call) {
        Verdict last = verdict;
        return last != null
                        && last.start.equals(call.place.start())
                        && last.changed == ofRules(call.place.root())
                        && System.nanoTime() - last.until < 0
                ? Optional.of(last.ignores)
                : Optional.empty();
    }

    /** Whether it is worth to search before all ignore files of the tree have been read. */
    private static boolean mostLikelyCommon(Place place) throws IOException {
        Path own = place.start().resolve(GITIGNORE);
        return !Files.exists(own) || CommonIgnores.isCommon(own, true);
    }

    /** Looks through all ignore files of the tree, which takes about as long as to list it. */
    private Ignores ignores(Call call) throws IOException {
        Optional<Ignores> before = remembered(call);
        if (before.isPresent()) {
            return before.get();
        }
        long changed = ofRules(call.place.root());
        Optional<FindProgram.Rules> seen = find.rules(call.place, call.deadline);
        Ignores found = seen.isEmpty() ? Ignores.NONE : ignores(call, seen.get());
        boolean rules = seen.isEmpty() || !seen.get().ignoreFiles().isEmpty();
        long until = System.nanoTime() + TRUSTED.toNanos();
        verdict = new Verdict(call.place.start(), found, rules, changed, until);
        return found;
    }

    private static Ignores ignores(Call call, FindProgram.Rules rules) throws IOException {
        Path root = call.place.root();
        Path start = call.place.start();
        List<String> special = new ArrayList<>();
        for (String file : rules.ignoreFiles()) {
            if (!file.endsWith(GITIGNORE)
                    || !CommonIgnores.isCommon(root.resolve(file), rules.allAscii())) {
                special.add(file);
            }
        }
        // ripgrep applies the rules outside of a repository to what is inside
        rules.repositories().stream().filter(git -> !git.equals(GIT)).forEach(special::add);
        Set<String> entered =
                new TreeWalk(root, call.deadline)
                        .entered(start, special.stream().map(Ripgrep::folder).distinct().toList());
        special.removeIf(file -> !entered.contains(folder(file)));
        if (CommonIgnores.returnAround(start)) {
            return Ignores.NONE;
        }
        for (String file : special) {
            boolean isRules = file.endsWith(GITIGNORE);
            // a repository may bring things back where it is told to in private
            if (file.endsWith("/" + GIT)
                    || isRules && CommonIgnores.bringsBack(root.resolve(file))) {
                return Ignores.NONE;
            }
        }
        return special.isEmpty() ? Ignores.OF_TREE : Ignores.OF_PACKAGES;
    }

    private static String folder(String file) {
        return file.substring(0, Math.max(0, file.lastIndexOf('/')));
    }

    /** When the root's own ignore rules were last changed, in milliseconds; 0 if it has none. */
    private static long ofRules(Path root) {
        return root.resolve(GITIGNORE).toFile().lastModified();
    }

    private record Verdict(Path start, Ignores ignores, boolean rules, long changed, long until) {}

    /** One search: a process of ripgrep and the reader of its output. */
    private final class Call {
        private final Path program;
        private final Place place;
        private final SearchDeadline deadline;

        Call(Path program, Place place, SearchDeadline deadline) {
            this.program = program;
            this.place = place;
            this.deadline = deadline;
        }

        /** In the order of a walk. */
        Optional<List<String>> list(List<String> words, Ignores ignores) throws IOException {
            return run(words, ignores, deadline.left())
                    .flatMap(ListedNames::names)
                    .map(Call::inOrder);
        }

        Optional<ListedNames> run(List<String> words, Ignores ignores, Duration limit)
                throws IOException {
            List<String> argv = new ArrayList<>(List.of(program.toString()));
            argv.addAll(FLAGS);
            argv.addAll(ignores.flags);
            argv.addAll(words);
            argv.addAll(ignores == Ignores.NONE ? List.of() : PACKAGES);
            argv.addAll(List.of("--", place.argument()));
            Optional<ListedNames> listed =
                    ListedNames.of(argv, place.root(), processes, limit, deadline);
            failed |= listed.filter(ListedNames::hasFailed).isPresent();
            return listed;
        }

        static List<String> inOrder(List<String> names) {
            return names.stream().map(Place::relative).sorted(TreeWalk::compare).toList();
        }
    }
}
