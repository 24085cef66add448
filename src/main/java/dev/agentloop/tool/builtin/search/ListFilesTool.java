package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.search.Glob;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Shows what a folder holds: everything in it, or, recursively, everything but ignored files. */
public final class ListFilesTool extends FolderTool<ListFilesTool.Args> {
    static final Duration LIMIT = Duration.ofSeconds(20); // a tree that takes longer needs a path

    public ListFilesTool() {
        super("list_files", Args.class);
    }

    /** Which folder, and which of its entries. */
    public record Args(@Nullable String path, @Nullable String pattern, @Nullable Boolean recursive)
            implements InFolder {}

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path folder = folder(args, context);
        Glob glob = glob(args.pattern());
        SearchDeadline deadline = new SearchDeadline(LIMIT, context.cancellation());
        Path root = context.workspace().roots().around(folder);
        TreeWalk walk = new TreeWalk(root, deadline);
        EntryList found = new EntryList(context.workspace().prefix(root), context.resultChars());
        boolean stopped = false;
        try {
            collect(walk, folder, Boolean.TRUE.equals(args.recursive()), matching(glob, found));
        } catch (SearchDeadline.Passed e) {
            stopped = true;
        }
        String none = args.pattern() == null ? "(empty folder)" : "Nothing matches.";
        return found.result(none, stopped, walk.unreadable());
    }

    private static void collect(
            TreeWalk walk, Path folder, boolean recursive, TreeWalk.Visitor visitor)
            throws IOException {
        if (recursive) {
            walk.below(folder, visitor);
            return;
        }
        for (TreeWalk.Entry entry : walk.inside(folder)) {
            if (!visitor.visit(entry)) {
                return;
            }
        }
    }

    private static TreeWalk.Visitor matching(Glob glob, EntryList found) {
        return entry -> !glob.matches(entry.relative()) || found.add(entry);
    }

    private static Glob glob(@Nullable String pattern) throws ToolException {
        return pattern == null || pattern.isEmpty() ? Glob.of("*") : parse(pattern);
    }

    /** A glob of the model; what cannot be read is an error it can mend. */
    static Glob parse(String pattern) throws ToolException {
        try {
            return Glob.of(pattern);
        } catch (PatternSyntaxException e) {
            throw ToolException.error("Not a glob: " + pattern + ". Example: src/**/*.java");
        }
    }
}
