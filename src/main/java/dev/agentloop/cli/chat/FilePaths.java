package dev.agentloop.cli.chat;

import dev.agentloop.chat.Completions.Completion;
import dev.agentloop.control.Cancellation;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Files and folders of a workspace that a person may mean, without those to be ignored. */
final class FilePaths {
    private static final Duration SEARCH = Duration.ofSeconds(1);
    private static final int MOST_LOOKED_AT = 300_000;
    private static final int MOST_OFFERED = 30;
    private static final int NO_MATCH = Integer.MAX_VALUE;

    private FilePaths() {}

    private record Found(String path, boolean folder, int rank) {}

    /**
     * Those whose path holds the letters of the word in this order; best those whose name begins
     * with it.
     */
    static List<Completion> of(Path workspace, String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        List<Found> found = new ArrayList<>();
        int[] seen = {0};
        try {
            new TreeWalk(workspace, new SearchDeadline(SEARCH, new Cancellation()))
                    .below(
                            workspace,
                            entry -> {
                                int rank = rank(entry.relative().toLowerCase(Locale.ROOT), wanted);
                                if (rank != NO_MATCH) {
                                    found.add(new Found(entry.shown(), entry.isFolder(), rank));
                                }
                                return ++seen[0] < MOST_LOOKED_AT;
                            });
        } catch (IOException | SearchDeadline.Passed e) {
            seen[0] = MOST_LOOKED_AT; // what was found until then is offered
        }
        found.sort(
                Comparator.comparingInt(Found::rank)
                        .thenComparingInt(each -> each.path().length())
                        .thenComparing(Found::path));
        return found.stream()
                .limit(MOST_OFFERED)
                .map(each ->
                        new Completion(
                                "@" + each.path().replace(" ", "\\ ") + (each.folder() ? "/" : ""),
                                "",
                                !each.folder()))
                .toList();
    }

    private static int rank(String path, String wanted) {
        if (path.startsWith(wanted)) {
            return path.indexOf('/', wanted.length()) < 0 ? 0 : 2;
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (name.startsWith(wanted)) {
            return 1;
        }
        return path.contains(wanted) ? 3 : hasInOrder(path, wanted) ? 4 : NO_MATCH;
    }

    private static boolean hasInOrder(String path, String letters) {
        int next = 0;
        for (int i = 0; i < path.length() && next < letters.length(); i++) {
            if (path.charAt(i) == letters.charAt(next)) {
                next++;
            }
        }
        return next == letters.length();
    }
}
