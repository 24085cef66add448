package dev.agentloop.search;

import dev.agentloop.search.FileMatches.State;
import dev.agentloop.storage.HeldFolders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Searches one file after another, of any size, in the same few kilobytes. Where the expression
 * allows it, only lines with a certain text in them are decoded at all.
 *
 * <p>A NUL in the first 64 KB makes a file binary, a later one ends its text: as ripgrep has it.
 */
final class FileScan {
    private final HeldFolders folders;
    private final LineQuery query;
    private final SearchDeadline deadline;
    private final List<ByteSearch> searches;
    private final boolean asciiOnly;
    private final boolean isText;
    private final int[] hits;
    private final Matcher matcher;
    private final @Nullable Matcher inText;
    private final @Nullable FirstLook look;
    private final TextWindow window = new TextWindow();
    private MatchLines found;

    /**
     * @param root as of {@link ParallelScan}
     */
    FileScan(Path root, LineQuery query, List<ByteSearch> searches, SearchDeadline deadline) {
        this.folders = new HeldFolders(root);
        this.query = query;
        this.searches = searches;
        this.asciiOnly = searches.stream().anyMatch(ByteSearch::isForAsciiOnly);
        this.isText = query.isText();
        this.hits = new int[searches.size()];
        this.matcher = query.pattern().matcher("");
        this.inText = query.inText().map(pattern -> pattern.matcher("")).orElse(null);
        this.deadline = deadline;
        boolean forWords =
                !searches.isEmpty() && searches.stream().allMatch(ByteSearch::isForWords);
        this.look = forWords ? new FirstLook(searches, deadline) : null;
        this.found = new MatchLines(query, window);
    }

    /**
     * @param size what the file system says; it may have grown
     */
    FileMatches scan(Path file, long size) {
        found = new MatchLines(query, window);
        try (SeekableByteChannel channel = folders.open(file)) {
            deadline.check();
            if (look != null) {
                if (!look.mayMatch(channel, size)) {
                    return FileMatches.none(State.SEARCHED); // most files, and most of the time
                }
                channel.position(0);
            }
            InputStream in = Channels.newInputStream(channel);
            window.open(in, size);
            if (window.isWhole() && maySkip() && firstHit() == window.to()) {
                return FileMatches.none(State.SEARCHED);
            }
            if (window.isBinary()) {
                return FileMatches.none(State.BINARY);
            }
            searchWindow();
            while (!found.isFull() && window.advance(in, query.context())) {
                found.windowMoved();
                deadline.check();
                searchWindow();
            }
            return found.result();
        } catch (SearchDeadline.Passed e) {
            return found.stopped();
        } catch (IOException e) {
            return FileMatches.none(State.UNREADABLE);
        }
    }

    /** Holds no folder open any more. */
    void letGo() {
        try {
            folders.close();
        } catch (IOException e) {
            return; // they were only read
        }
    }

    private void searchWindow() {
        if (maySkip()) {
            searchHits();
        } else {
            searchLines();
        }
        found.endOfWindow();
    }

    /** Whether lines without a hit have no match. */
    private boolean maySkip() {
        return !searches.isEmpty() && (!asciiOnly || window.hasPlainLetters());
    }

    private void searchHits() {
        int hit = firstHit();
        while (hit < window.to() && !found.isFull()) {
            int start = window.lineStart(hit);
            int end = window.lineEnd(hit);
            if (isText && window.isAscii()) {
                found.match(start, end, window.text(start, end), hit - start);
            } else {
                test(start, end);
            }
            hit = nextHit(end + 1);
        }
    }

    private int firstHit() {
        Arrays.fill(hits, -1);
        return nextHit(window.from());
    }

    /** The next place of one of the texts; the end if there is none. */
    private int nextHit(int from) {
        int next = window.to();
        for (int i = 0; i < hits.length; i++) {
            if (hits[i] < from) {
                int hit = searches.get(i).find(window.bytes(), from, window.to());
                hits[i] = hit < 0 ? window.to() : hit;
            }
            next = Math.min(next, hits[i]);
        }
        return next;
    }

    private void searchLines() {
        int start = window.from();
        while (start < window.to() && !found.isFull()) {
            start = nextCandidate(start);
            int end = window.lineEnd(start);
            if (start < window.to()) {
                test(start, end);
            }
            start = end + 1;
        }
    }

    /** The start of the first line that may match; the end if there is none. */
    private int nextCandidate(int start) {
        if (inText == null || !window.isAscii()) {
            return start;
        }
        if (start == window.from()) {
            int length = window.to() - start;
            String text = new String(window.bytes(), start, length, StandardCharsets.ISO_8859_1);
            inText.reset(deadline.guard(text));
        }
        try {
            boolean more = inText.find(start - window.from());
            return more ? window.lineStart(window.from() + inText.start()) : window.to();
        } catch (StackOverflowError | SearchDeadline.TooSlow e) {
            return start; // line by line it may do
        }
    }

    private void test(int start, int end) {
        String line = window.text(start, end);
        matcher.reset(deadline.guard(line));
        if (find()) {
            found.match(start, end, line, matcher.start());
        }
    }

    private boolean find() {
        try {
            return matcher.find();
        } catch (StackOverflowError e) { // Java's matcher recurses for each turn of a loop
            found.tooDeep();
            return false;
        }
    }
}
