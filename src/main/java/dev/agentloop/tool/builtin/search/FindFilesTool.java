package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.search.Glob;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
import dev.agentloop.tool.builtin.file.FileKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds files by the pattern of their name or path. */
public final class FindFilesTool implements Tool<FindFilesTool.Args> {
    private final ToolSpec spec = ToolSpecs.load("find_files", Effect.PURE);

    /** What to look for, and where. */
    public record Args(@Doc("E.g. src/**/*Test.java") String pattern, @Nullable String path) {
        public Args {
            if (pattern.isBlank()) {
                throw new IllegalArgumentException("pattern is empty");
            }
        }

        String folder() {
            return path == null ? "." : path;
        }
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Class<Args> argumentType() {
        return Args.class;
    }

    @Override
    public String subject(Args args) {
        return args.folder();
    }

    @Override
    public List<String> paths(Args args) {
        return List.of(args.folder());
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path folder = context.workspace().resolveReadable(args.folder());
        FileKind.requireFolder(context.workspace(), folder, args.folder());
        Glob glob = ListFilesTool.parse(args.pattern());
        SearchDeadline deadline = new SearchDeadline(ListFilesTool.LIMIT, context.cancellation());
        Path root = context.workspace().root();
        TreeWalk walk = new TreeWalk(root, deadline);
        int base = folder.equals(root) ? 0 : root.relativize(folder).toString().length() + 1;
        EntryList found = new EntryList();
        boolean stopped = false;
        try {
            walk.below(folder, entry -> !matches(glob, entry, base, deadline) || found.add(entry));
        } catch (SearchDeadline.Passed e) {
            stopped = true;
        }
        String none = "No file matches " + args.pattern() + ". Ignored folders were left out.";
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
