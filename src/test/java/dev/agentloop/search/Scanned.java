package dev.agentloop.search;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What our own engine finds below a folder, as {@code path:line:text}. */
final class Scanned {
    private static final Pattern PLACE = Pattern.compile("(?s)^[^:]+:\\d+");

    private Scanned() {}

    /** The {@code path:line} of a match. */
    static String place(String match) {
        return PLACE.matcher(match).results().findFirst().orElseThrow().group();
    }

    static List<String> lines(Path root, Pattern pattern, int context) throws IOException {
        List<String> found = new ArrayList<>();
        SearchDeadline deadline = new SearchDeadline(Duration.ofMinutes(2), new Cancellation());
        LineQuery query = new LineQuery(pattern, context, 1_000_000, Integer.MAX_VALUE);
        ParallelScan.Sink<FileMatches> sink =
                (file, matches) -> {
                    for (FileMatches.Line line : matches.lines()) {
                        String mark = line.isMatch() ? ":" : "-";
                        found.add(file.relative() + mark + line.number() + mark + line.text());
                    }
                    return true;
                };
        try (ParallelScan<FileMatches> scan =
                new ParallelScan<>(root, query, deadline, (_, matches) -> matches, sink)) {
            new TreeWalk(root, deadline).files(root, scan::add);
            scan.finish();
        }
        return found;
    }
}
