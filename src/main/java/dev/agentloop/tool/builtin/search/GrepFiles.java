package dev.agentloop.tool.builtin.search;

import dev.agentloop.search.LineQuery;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.ToolContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files that grep looks into, in the order of names: found by walking, and once the tree has
 * shown to be large, by asking ripgrep which of the rest are worth it.
 */
final class GrepFiles {
    private static final Pattern COMMON_GLOB =
            Pattern.compile("[A-Za-z0-9_.-]*(?:\\*[A-Za-z0-9_.-]+)?");

    private final Ripgrep ripgrep;
    private final ToolContext context;
    private final Path root;
    private final TreeWalk walk;
    private final SearchDeadline deadline;
    private int seen;
    private String last = "";

    GrepFiles(Ripgrep ripgrep, ToolContext context, SearchDeadline deadline) {
        this.ripgrep = ripgrep;
        this.context = context;
        this.root = context.workspace().root();
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
        Optional<String> expression = query.forRipgrep();
        boolean mayAsk =
                expression.isPresent() && Files.isDirectory(start) && !walk.crossesFileSystems();
        if (!mayAsk) {
            walk.files(start, visitor);
            return;
        }
        if (!ripgrep.knowsAsLarge(start) && walked(start, visitor)) {
            return;
        }
        ripgrep.isLarge(start);
        Optional<List<String>> files = ask(start, expression.orElseThrow(), glob);
        if (files.isPresent()) {
            walk.these(start, files.get().stream().filter(this::isNew).toList(), visitor);
        } else {
            walk.files(start, file -> !isNew(file.relative()) || visitor.visit(file));
        }
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
        Ripgrep.Place place = new Ripgrep.Place(root, start);
        return ripgrep.files(place, expression, globs, deadline, context.cancellation());
    }
}
