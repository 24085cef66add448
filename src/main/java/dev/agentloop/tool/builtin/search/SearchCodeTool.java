package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
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
    private static final int MAX_LINE = 200; // characters; a hit is a pointer, not a quotation

    public SearchCodeTool() {
        super("search_code", Effect.PURE, Args.class);
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
        if (!Files.isDirectory(start)) {
            FileKind.requireFile(context.workspace(), start, args.place());
        }
        int wanted = args.maxResults() == null ? USUAL_RESULTS : args.maxResults();
        SearchDeadline deadline = new SearchDeadline(LIMIT, context.cancellation());
        CodeSearch search =
                new CodeSearch(
                        args.query(),
                        wanted,
                        file -> Files.isDirectory(start) && context.workspace().isLeftOut(file),
                        deadline);
        if (search.isEmpty()) {
            throw ToolException.error(
                    "There is no word in the query. Use grep to look for other characters.");
        }
        List<CodeSearch.Hit> hits = search.below(context.workspace().root(), start);
        return result(args.query(), hits, search);
    }

    private static ToolResult result(String query, List<CodeSearch.Hit> hits, CodeSearch search) {
        StringBuilder text = new StringBuilder();
        for (CodeSearch.Hit hit : hits) {
            text.append(hit.file());
            if (hit.line() > 0) {
                text.append(':').append(hit.line());
            }
            String line = hit.text().substring(0, Math.min(hit.text().length(), MAX_LINE));
            text.append(" [%s] %s".formatted(hit.kind(), line).stripTrailing()).append('\n');
        }
        if (hits.isEmpty()) {
            text.append("Nothing found for ").append(query).append(". Try fewer or other words.");
        }
        if (search.hasMore()) {
            text.append("\n[best %d only; narrow the path or the query]".formatted(hits.size()));
        }
        if (search.isStopped()) {
            text.append("\n[stopped when the time was up; narrow the path]");
        }
        return ToolResult.ok(text.toString())
                .withText(text.toString(), search.hasMore() || search.isStopped());
    }
}
