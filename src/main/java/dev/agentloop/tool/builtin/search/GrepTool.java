package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.FileMatches;
import dev.agentloop.search.Glob;
import dev.agentloop.search.LineQuery;
import dev.agentloop.search.ParallelScan;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.builtin.file.FileKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Finds lines by a regular expression, in any time and size the tree may take. */
public final class GrepTool extends BuiltInTool<GrepTool.Args> {
    private static final Duration LIMIT = Duration.ofSeconds(20); // half a step is long enough
    private static final int MAX_RESULTS = 1_000;
    private static final int USUAL_RESULTS = 100;
    private static final int MAX_PATTERN = 10_000; // characters; Java takes seconds for a million
    private static final int MAX_CONTEXT = 20;

    private final Duration limit;
    private final Ripgrep ripgrep;

    /**
     * @param path where a ripgrep for large trees may be, as in the variable PATH
     */
    public GrepTool(ProcessRunner processes, String path) {
        this(LIMIT, new Ripgrep(processes, path));
    }

    GrepTool(Duration limit, Ripgrep ripgrep) {
        super("grep", Effect.PURE, Args.class);
        this.limit = limit;
        this.ripgrep = ripgrep;
    }

    /** What to look for, where, and how much to show. */
    public record Args(
            String pattern,
            @Nullable String path,
            @Nullable String glob,
            @Nullable Boolean caseSensitive,
            @Nullable Integer context,
            @Nullable Integer maxResults) {
        public Args {
            if (pattern.isEmpty()) {
                throw new IllegalArgumentException("pattern is empty");
            }
            if (pattern.length() > MAX_PATTERN) {
                throw new IllegalArgumentException(
                        "pattern must have at most " + MAX_PATTERN + " characters");
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

        int around() {
            return context == null ? 0 : context;
        }

        int most() {
            return maxResults == null ? USUAL_RESULTS : maxResults;
        }

        String files() {
            return glob == null || glob.isEmpty() ? "*" : glob;
        }

        LineQuery query(int room) throws ToolException {
            return new LineQuery(compiled(), around(), most(), room);
        }

        private Pattern compiled() throws ToolException {
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
    public String subject(Args args) {
        return args.place();
    }

    @Override
    public List<String> paths(Args args) {
        return List.of(args.place());
    }

    @Override
    public List<String> alsoDoes() {
        return List.of("read_file");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path start = context.workspace().resolveReadable(args.place());
        SearchDeadline deadline = new SearchDeadline(limit, context.cancellation());
        Path root = context.workspace().roots().around(start);
        GrepMatches matches =
                new GrepMatches(args, context.workspace().prefix(root), context.resultChars());
        LineQuery query = args.query(matches.room());
        boolean isTree = Files.isDirectory(start);
        if (!isTree) {
            FileKind.requireFile(context.workspace(), start, args.place());
        }
        Predicate<TreeWalk.Entry> named = named(args.files(), isTree, deadline);
        GrepFiles files = new GrepFiles(ripgrep, root, deadline);
        try (ParallelScan<FileMatches> scan =
                new ParallelScan<>(root, query, deadline, (_, found) -> found, matches::take)) {
            try {
                files.visit(
                        start,
                        query,
                        args.files(),
                        file -> {
                            boolean wanted = named.test(file);
                            if (wanted
                                    && isTree
                                    && context.workspace().isLeftOut(root, file.relative())) {
                                matches.secret(files.areCandidates());
                                return true;
                            }
                            return !wanted || scan.add(file);
                        });
            } catch (SearchDeadline.Passed e) {
                matches.stopped();
            }
            scan.finish();
        } catch (SearchDeadline.Passed e) {
            matches.stopped();
        }
        return matches.result(args.pattern(), files.haveIgnored());
    }

    private static Predicate<TreeWalk.Entry> named(
            String glob, boolean isTree, SearchDeadline deadline) throws ToolException {
        Glob parsed = ListFilesTool.parse(glob);
        return !isTree || glob.equals("*") // matching it would take most of the time
                ? _ -> true
                : file -> parsed.matches(deadline.guard(file.relative()));
    }
}
