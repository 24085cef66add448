package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gathers the hunks of one file, line by line. */
final class HunkCollector {
    private final List<Hunk> hunks = new ArrayList<>();
    private final List<Hunk.Line> lines = new ArrayList<>();
    private final List<String> anchors = new ArrayList<>();
    private @Nullable HunkNumbers numbers;
    private int oldLeft;
    private int newLeft;
    private boolean begun;

    /** Whether anything of a hunk has come, be it an empty {@code @@}. */
    boolean hasBegun() {
        return begun;
    }

    boolean isNumbered() {
        return numbers != null;
    }

    /** Whether the numbers of the hunk say that it is complete. */
    boolean isWhole() {
        return numbers != null && oldLeft <= 0 && newLeft <= 0;
    }

    /** Whether the numbers say that one old and one new line are still to come. */
    boolean lacksOnePair() {
        return numbers != null && oldLeft == 1 && newLeft == 1;
    }

    void take(String line, boolean windows) {
        begun = true;
        if (line.startsWith("@@")) {
            head(line);
        } else if (!markNoNewline(line)) {
            Hunk.Line read = Hunk.Line.of(line, windows);
            oldLeft -= read.isOld() ? 1 : 0;
            newLeft -= read.kind() == Hunk.Kind.REMOVED ? 0 : 1;
            lines.add(read);
        }
    }

    void endOfFile() {
        close(true);
    }

    List<Hunk> all() {
        close(false);
        return List.copyOf(hunks);
    }

    private void head(String line) {
        close(false);
        numbers = HunkNumbers.of(line).orElse(null);
        if (numbers != null) {
            oldLeft = numbers.oldCount();
            newLeft = numbers.newCount();
        }
        String heading = heading(line);
        if (!heading.isEmpty()) {
            anchors.add(heading);
        }
    }

    /** What stands behind {@code @@}, numbers left out; its indentation tells depths apart. */
    private static String heading(String line) {
        int from = 2;
        if (HunkNumbers.of(line).isPresent()) {
            from = line.indexOf("@@", 2) + 2;
        }
        String heading = line.substring(from).stripTrailing();
        if (heading.endsWith("@@")) {
            heading = heading.substring(0, heading.length() - 2).stripTrailing();
        }
        return heading.startsWith(" ") ? heading.substring(1) : heading;
    }

    /** {@code \ No newline at end of file}, in any language: the line before has no end. */
    private boolean markNoNewline(String written) {
        boolean marks = written.startsWith("\\ ") && !lines.isEmpty();
        boolean sure = numbers != null || written.toLowerCase(Locale.ROOT).contains("newline");
        if (marks && sure) {
            lines.set(lines.size() - 1, lines.getLast().withoutNewline());
        }
        return marks && sure;
    }

    /** Headings without lines belong to the hunk that follows. */
    private void close(boolean atEnd) {
        if (lines.isEmpty()) {
            return;
        }
        int start = numbers == null ? 0 : numbers.firstOldLine();
        Hunk hunk = new Hunk(List.copyOf(anchors), start, List.copyOf(lines), atEnd);
        if (!hunk.changesNothing()) {
            hunks.add(hunk);
        }
        lines.clear();
        anchors.clear();
        numbers = null;
    }
}
