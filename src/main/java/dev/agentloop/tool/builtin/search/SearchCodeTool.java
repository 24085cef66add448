package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.CodeSearch;
import dev.agentloop.search.SearchDeadline;
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
import org.jspecify.annotations.Nullable;

/** Finds code by the words of a name or a question, definitions first. */
public final class SearchCodeTool extends BuiltInTool<SearchCodeTool.Args> {
    private static final Duration LIMIT = Duration.ofSeconds(20); // half a step is long enough
    private static final int MAX_RESULTS = 200;
    private static final int USUAL_RESULTS = 30; // about 2,000 tokens
    private static final String STOPPED = "\n[stopped when the time was up; narrow the path]";
    private static final int FOR_NOTES = 300; // characters, of what stands below the hits
    private static final int MAX_LINE = 200; // characters; a hit is a pointer, not a quotation

    private final Ripgrep ripgrep;

    /**
     * @param path where a ripgrep for large trees may be, as in the variable PATH
     */
    public SearchCodeTool(ProcessRunner processes, String path) {
        this(new Ripgrep(processes, path));
    }

    SearchCodeTool(Ripgrep ripgrep) {
        super("search_code", Effect.PURE, Args.class);
        this.ripgrep = ripgrep;
    }

    /** What to look for, and where. */
    public record Args(String query, @Nullable String path, @Nullable Integer maxResults) {
        public Args {
            if (query.isBlank()) {
                throw new IllegalArgumentException("query is empty");
            }
            if (maxResults != null && (maxResults < 1 || maxResults > MAX_RESULTS)) {
                throw new IllegalArgumentException("max_results must be 1 to " + MAX_RESULTS);
            }
        }

        String place() {
            return path == null ? "." : path;
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
        return List.of("grep", "read_file");
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
        Path start = context.workspace().resolveReadable(args.place());
        boolean isTree = Files.isDirectory(start);
        if (!isTree) {
            FileKind.requireFile(context.workspace(), start, args.place());
        }
        Path root = context.workspace().roots().around(start);
        int wanted = args.maxResults() == null ? USUAL_RESULTS : args.maxResults();
        SearchDeadline deadline = new SearchDeadline(LIMIT, context.cancellation());
        GrepFiles files = new GrepFiles(ripgrep, root, deadline);
        CodeSearch search =
                new CodeSearch(
                        args.query(),
                        wanted,
                        files::visit,
                        file -> isTree && context.workspace().isLeftOut(root, file),
                        deadline);
        if (search.isEmpty()) {
            throw ToolException.error(
                    "There is no word in the query. Use grep to look for other characters.");
        }
        List<CodeSearch.Hit> hits = search.below(root, start);
        if (hits.isEmpty()) {
            return nothing(args.query(), files.haveIgnored(), search);
        }
        return result(
                hits, search, context.workspace().prefix(root), context.resultChars() - FOR_NOTES);
    }

    private static ToolResult nothing(String query, boolean ignored, CodeSearch search) {
        String text =
                search.isStopped()
                        ? "Nothing found so far for " + query + "." + STOPPED
                        : "Nothing found for "
                                + query
                                + ". Try fewer or other words."
                                + (ignored ? " Ignored files were left out." : "");
        return ToolResult.ok("").withText(text, search.isStopped());
    }

    private static ToolResult result(
            List<CodeSearch.Hit> hits, CodeSearch search, String prefix, int room) {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (CodeSearch.Hit hit : hits) {
            String line = prefix + shown(hit);
            if (text.length() + line.length() >= room) {
                break;
            }
            text.append(line).append('\n');
            shown++;
        }
        boolean more = search.hasMore() || shown < hits.size();
        if (more) {
            text.append("\n[best %d only; narrow the path or the query]".formatted(shown));
        }
        if (search.filesBeforeCut() > 0) {
            text.append(
                    "\n[the words are in too many lines: only the %d files looked at first]"
                            .formatted(search.filesBeforeCut()));
        }
        if (search.isStopped()) {
            text.append(STOPPED);
        }
        return ToolResult.ok("")
                .withText(
                        text.toString(), more || search.isStopped() || search.filesBeforeCut() > 0);
    }

    private static String shown(CodeSearch.Hit hit) {
        String place = hit.line() > 0 ? hit.file() + ":" + hit.line() : hit.file();
        String line = hit.text().substring(0, Math.min(hit.text().length(), MAX_LINE));
        return "%s [%s] %s".formatted(place, hit.kind(), line).stripTrailing();
    }
}
