package dev.agentloop.tool.builtin;

import dev.agentloop.edit.TextFile;
import dev.agentloop.message.ToolResult;
import dev.agentloop.search.Deadline;
import dev.agentloop.search.Glob;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Finds lines by a regular expression, in any time and size the tree may take. */
public final class GrepTool implements Tool<GrepTool.Args> {
    private static final Duration LIMIT = Duration.ofSeconds(20); // half a step is long enough
    private static final int MAX_RESULTS = 1_000;
    private static final int MAX_CONTEXT = 20;

    private final ToolSpec spec = ToolSpecs.load("grep", Effect.PURE);
    private final Duration limit;

    public GrepTool() {
        this(LIMIT);
    }

    GrepTool(Duration limit) {
        this.limit = limit;
    }

    /** What to look for, where, and how much to show. */
    public record Args(
            @Doc("Java regular expression") String pattern,
            @Doc(value = "File or folder, default the root", optional = true) @Nullable String path,
            @Doc(value = "Only files that match, e.g. *.py", optional = true) @Nullable String glob,
            @Doc(value = "Default true", optional = true) @Nullable Boolean caseSensitive,
            @Doc(value = "Lines around each match", optional = true) @Nullable Integer context,
            @Doc(value = "Default 100", optional = true) @Nullable Integer maxResults) {
        public Args {
            if (pattern.isEmpty()) {
                throw new IllegalArgumentException("pattern is empty");
            }
            if (context != null && (context < 0 || context > MAX_CONTEXT)) {
                throw new IllegalArgumentException("context must be 0 to " + MAX_CONTEXT);
            }
            if (maxResults != null && (maxResults < 1 || maxResults > MAX_RESULTS)) {
                throw new IllegalArgumentException("max_results must be 1 to " + MAX_RESULTS);
            }
        }

        String place() {
            return path == null ? "." : path;
        }

        Pattern compiled() throws ToolException {
            boolean exact = !Boolean.FALSE.equals(caseSensitive);
            try {
                return Pattern.compile(
                        pattern, exact ? 0 : Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
            } catch (PatternSyntaxException e) {
                throw ToolException.error(
                        ("Not a regular expression: %s near index %d. Escape literal characters"
                                        + " with \\.")
                                .formatted(e.getDescription(), e.getIndex()));
            }
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
        return args.place();
    }

    @Override
    public List<String> paths(Args args) {
        return List.of(args.place());
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path start = context.workspace().resolveReadable(args.place());
        Deadline deadline = new Deadline(limit, context.cancellation());
        GrepMatches matches =
                new GrepMatches(
                        args.compiled(),
                        args.context() == null ? 0 : args.context(),
                        args.maxResults() == null ? 100 : args.maxResults(),
                        deadline);
        try {
            if (Files.isDirectory(start)) {
                searchTree(start, args.glob(), context, matches, deadline);
            } else {
                FileKind.requireFile(context.workspace(), start, args.place());
                searchFile(start, context.workspace().show(start), matches);
            }
        } catch (Deadline.Passed e) {
            matches.stopped();
        }
        return matches.result(args.pattern());
    }

    private static void searchTree(
            Path start,
            @Nullable String pattern,
            ToolContext context,
            GrepMatches matches,
            Deadline deadline)
            throws IOException, ToolException {
        Glob glob = ListFilesTool.parse(pattern == null || pattern.isEmpty() ? "*" : pattern);
        new TreeWalk(context.workspace().root(), deadline)
                .below(
                        start,
                        entry ->
                                !entry.isFile()
                                        || !glob.matches(deadline.guard(entry.relative()))
                                        || searchFile(entry.path(), entry.shown(), matches));
    }

    /** Returns whether there is room for more matches. */
    private static boolean searchFile(Path file, String shown, GrepMatches matches) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(FileWriting.MAX_BYTES + 1);
            Optional<TextFile> text =
                    bytes.length > FileWriting.MAX_BYTES ? Optional.empty() : TextFile.of(bytes);
            if (text.isEmpty()) {
                matches.skipped(bytes.length > FileWriting.MAX_BYTES);
                return true;
            }
            return matches.search(shown, text.get().text());
        } catch (IOException e) {
            matches.unreadable();
            return true;
        }
    }
}
