package dev.agentloop.tool.builtin.search;

import dev.agentloop.search.FileSource;
import dev.agentloop.search.LineQuery;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files that a search looks into, in the order of names: found by walking, and once the tree
 * has shown to be large, by asking ripgrep which of the rest are worth it.
 */
final class GrepFiles {
    private static final Pattern COMMON_GLOB =
            Pattern.compile("[A-Za-z0-9_.-]*(?:\\*[A-Za-z0-9_.-]+)?");

    private static final int MANY = 2_000; // files that a search need not look at to the last

    private final Ripgrep ripgrep;
    private final Path root;
    private final TreeWalk walk;
    private final SearchDeadline deadline;
    private boolean areCandidates;
    private int seen;
    private String last = "";

    /**
     * @param root of the workspace, in which the search begins
     */
    GrepFiles(Ripgrep ripgrep, Path root, SearchDeadline deadline) {
        this.ripgrep = ripgrep;
        this.root = root;
        this.deadline = deadline;
        this.walk = new TreeWalk(root, deadline);
    }

    /**
     * Hands on the files below {@code start}, at least those with a match.
     *
     * @param glob what their names must match, for ripgrep; the visitor sees to it as well
     */
    void visit(Path start, LineQuery query, String glob, TreeWalk.Visitor visitor)
            throws IOException {
        startAnew();
        if (!mayAsk(start, query)) {
            walk.files(start, visitor);
            return;
        }
        if (!ripgrep.knowsAsLarge(start) && walked(start, visitor)) {
            return;
        }
        ripgrep.isLarge(start);
        Optional<List<String>> files = ask(start, query.forRipgrep().orElseThrow(), glob);
        if (files.isPresent()) {
            areCandidates = true;
            walk.these(start, files.get().stream().filter(this::isNew).toList(), visitor);
        } else {
            walk.files(start, file -> !isNew(file.relative()) || visitor.visit(file));
        }
    }

    /** The same for a search that wants the names of files with certain words as well. */
    void visit(
            Path start,
            LineQuery query,
            List<String> words,
            FileSource.Names names,
            TreeWalk.Visitor contents)
            throws IOException {
        TreeWalk.Visitor both =
                file -> {
                    names.take(file.relative());
                    return contents.visit(file);
                };
        startAnew();
        if (!mayAsk(start, query)) {
            walk.files(start, both);
            return;
        }
        if (!ripgrep.knowsAsLarge(start) && walked(start, both)) {
            return;
        }
        ripgrep.isLarge(start);
        Optional<List<String>> named = ripgrep.named(place(start), words, deadline);
        Optional<List<String>> files =
                named.isEmpty()
                        ? Optional.empty()
                        : ask(start, query.forRipgrep().orElseThrow(), "*");
        if (files.isEmpty()) {
            walk.files(start, file -> !isNew(file.relative()) || both.visit(file));
            return;
        }
        List<String> called = named.orElseThrow().stream().filter(this::isNew).toList();
        walk.names(
                start,
                called,
                _ -> true,
                name -> {
                    names.take(name);
                    return true;
                });
        List<String> rest = files.get().stream().filter(this::isNew).toList();
        walk.these(start, rest.size() > MANY ? likeliestFirst(rest, words) : rest, contents);
    }

    /** Files that are called so, then those near to the root: they tell more than others. */
    private static List<String> likeliestFirst(List<String> files, List<String> words) {
        record Rated(String file, int rate) {}

        return files.stream()
                .map(file -> {
                    String name = file.substring(file.lastIndexOf('/') + 1);
                    String lower = name.toLowerCase(Locale.ROOT);
                    int folders = (int) file.chars().filter(c -> c == '/').count();
                    return new Rated(file, words.stream().anyMatch(lower::contains) ? 0 : folders);
                })
                .sorted(Comparator.comparingInt(Rated::rate))
                .map(Rated::file)
                .toList();
    }

    /** One search may look twice. */
    private void startAnew() {
        seen = 0;
        last = "";
    }

    private boolean mayAsk(Path start, LineQuery query) {
        return query.forRipgrep().isPresent()
                && Files.isDirectory(start)
                && !walk.crossesFileSystems();
    }

    private Ripgrep.Place place(Path start) {
        return new Ripgrep.Place(root, start);
    }

    /** Whether the files that come now are those which ripgrep says have a match. */
    boolean areCandidates() {
        return areCandidates;
    }

    /** Whether files were left out because an ignore rule says so. */
    boolean haveIgnored() {
        return walk.hasIgnored() || ripgrep.knowsRules();
    }

    /** Returns whether that was all. */
    private boolean walked(Path start, TreeWalk.Visitor visitor) throws IOException {
        boolean[] large = new boolean[1];
        walk.files(
                start,
                file -> {
                    if (seen++ == ripgrep.large()) {
                        large[0] = true;
                        return false;
                    }
                    last = file.relative();
                    return visitor.visit(file);
                });
        return !large[0];
    }

    private boolean isNew(String file) {
        return last.isEmpty() || TreeWalk.compare(last, file) < 0;
    }

    private Optional<List<String>> ask(Path start, String expression, String glob)
            throws IOException {
        boolean common = !glob.equals("*") && COMMON_GLOB.matcher(glob).matches();
        List<String> globs = common ? List.of(glob) : List.of();
        return ripgrep.files(place(start), expression, globs, deadline);
    }
}
