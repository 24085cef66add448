package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;

/** Gathers the hunks of one file, line by line. */
final class HunkCollector {
    private final List<Hunk> hunks = new ArrayList<>();
    private final List<Hunk.Line> lines = new ArrayList<>();
    private final List<String> anchors = new ArrayList<>();
    private int oldStart;
    private boolean promisesOld;
    private int oldLeft;
    private int newLeft;
    private boolean counted;

    /** Whether nothing of the file has come yet. */
    boolean isFresh() {
        return hunks.isEmpty() && lines.isEmpty() && anchors.isEmpty() && oldStart == 0;
    }

    /** Whether the numbers of the hunk say that more of it follows. */
    boolean expectsMore() {
        return counted && oldLeft > 0 && newLeft > 0;
    }

    void take(String line) {
        if (line.startsWith("@@")) {
            head(line);
        } else if (!PatchParser.markNoNewline(lines, line)) {
            Hunk.Line read = PatchParser.line(line);
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
        HunkNumbers numbers = HunkNumbers.of(line).orElse(null);
        counted = numbers != null;
        if (numbers != null) {
            oldStart = numbers.oldStart() + (numbers.oldCount() == 0 ? 1 : 0);
            promisesOld = numbers.oldCount() > 0;
            oldLeft = numbers.oldCount();
            newLeft = numbers.newCount();
        }
        String heading = PatchParser.heading(line);
        if (!heading.isEmpty()) {
            anchors.add(heading);
        }
    }

    /** Headings without lines belong to the hunk that follows. */
    private void close(boolean atEnd) {
        if (lines.isEmpty()) {
            return;
        }
        boolean lacksOld = promisesOld && lines.stream().noneMatch(Hunk.Line::isOld);
        int start = lacksOld ? Hunk.WITHOUT_ITS_CONTEXT : oldStart;
        Hunk hunk = new Hunk(List.copyOf(anchors), start, List.copyOf(lines), atEnd);
        if (!hunk.changesNothing()) {
            hunks.add(hunk);
        }
        lines.clear();
        anchors.clear();
        oldStart = 0;
        promisesOld = false;
        counted = false;
    }
}
