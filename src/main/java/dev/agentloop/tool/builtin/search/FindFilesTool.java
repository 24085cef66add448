package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.search.Glob;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds files by the pattern of their name or path. */
public final class FindFilesTool extends FolderTool<FindFilesTool.Args> {
    public FindFilesTool() {
        super("find_files", Args.class);
    }

    /** What to look for, and where. */
    public record Args(String pattern, @Nullable String path) implements InFolder {
        public Args {
            if (pattern.isBlank()) {
                throw new IllegalArgumentException("pattern is empty");
            }
        }
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path folder = folder(args, context);
        Glob glob = ListFilesTool.parse(args.pattern());
        SearchDeadline deadline = new SearchDeadline(ListFilesTool.LIMIT, context.cancellation());
        Path root = context.workspace().root();
        TreeWalk walk = new TreeWalk(root, deadline);
        int base = folder.equals(root) ? 0 : root.relativize(folder).toString().length() + 1;
        EntryList found = new EntryList(context.resultChars());
        boolean stopped = false;
        try {
            walk.below(folder, entry -> !matches(glob, entry, base, deadline) || found.add(entry));
        } catch (SearchDeadline.Passed e) {
            stopped = true;
        }
        String none =
                "No file matches "
                        + args.pattern()
                        + "."
                        + (walk.hasIgnored() ? " Ignored files were left out." : "");
        return found.result(none, stopped, walk.unreadable());
    }

    /** Models write the pattern as seen from the root or from the folder; both are meant well. */
    private static boolean matches(
            Glob glob, TreeWalk.Entry entry, int base, SearchDeadline deadline) {
        return !entry.isFolder()
                && (glob.matches(deadline.guard(entry.relative()))
                        || base > 0
                                && glob.matches(deadline.guard(entry.relative().substring(base))));
    }
}
