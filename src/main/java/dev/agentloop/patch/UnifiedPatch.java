package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;

/** Reads unified diffs, those of git with their renames and modes among them. */
final class UnifiedPatch {
    private final PatchText source;
    private final List<Patch.Section> sections = new ArrayList<>();
    private FileHeader header = new FileHeader();
    private HunkCollector hunks = new HunkCollector();
    private boolean finished; // the hunks of the file: what follows is for people
    private int at;

    UnifiedPatch(PatchText source) {
        this.source = source;
    }

    Patch read() throws PatchException {
        for (; at < source.size(); at++) {
            String line = source.line(at);
            if (line.startsWith("diff --git ")) {
                close();
                header.git(line);
            } else if (isNames()) {
                if (hunks.hasBegun() || header.hasNames()) {
                    close();
                }
                header.names(line, source.line(at + 1));
                at++;
            } else if (line.startsWith("@@") || isInHunk()) {
                hunk(line);
            } else {
                outside(line);
            }
        }
        close();
        return new Patch(List.copyOf(sections));
    }

    private boolean isInHunk() {
        return hunks.hasBegun() && !finished;
    }

    /**
     * Whether the two lines from here on name the next file. In SQL and Lua they may also be a
     * comment that changes: the numbers of the hunk tell, and what follows.
     */
    private boolean isNames() {
        if (!source.line(at).startsWith("--- ") || !source.line(at + 1).startsWith("+++ ")) {
            return false;
        }
        boolean opens = source.line(at + 2).startsWith("@@");
        if (!isInHunk() || hunks.isWhole()) {
            return true;
        }
        return opens && !hunks.lacksOnePair();
    }

    private void hunk(String line) throws PatchException {
        if (line.startsWith("@@@")) {
            throw unsupported("a merge of several parents", line);
        }
        if (!header.isKnown()) {
            throw new PatchException(
                    "The patch names no file for line %d. Write --- a/PATH and +++ b/PATH above it."
                                    .formatted(at + 1)
                            + " Nothing was changed.");
        }
        if (line.startsWith("@@")) {
            finished = false;
        } else if (isEnd(line)) {
            finished = true;
            return;
        }
        hunks.take(line, source.windows().get(at));
    }

    /** Whether the hunk has all its lines and this one is for people, or of another form. */
    private boolean isEnd(String line) {
        String directive = PatchParser.directive(line);
        if (directive.equals("end of file")) {
            hunks.endOfFile();
            return true;
        }
        boolean trailer = line.stripTrailing().equals("--") && isVersion(source.line(at + 1));
        boolean signed =
                line.isEmpty() || " +-\\".indexOf(line.charAt(0)) >= 0; // a count may be wrong
        return directive.equals("end patch") || hunks.isWhole() && (trailer || !signed);
    }

    /** What git format-patch ends a mail with: the number of its version. */
    private static boolean isVersion(String line) {
        return !line.isEmpty() && Character.isDigit(line.charAt(0)) && line.indexOf('.') > 0;
    }

    private void outside(String line) throws PatchException {
        boolean change = line.startsWith("+") || line.startsWith("-");
        if (finished && change && !isTrailerOrRule(line)) {
            throw PatchParser.stray(at, line);
        }
        if (line.startsWith("diff --cc ") || line.startsWith("diff --combined ")) {
            throw unsupported("a merge of several parents", line);
        }
        if (!finished) {
            header.extended(line);
        }
    }

    private static boolean isTrailerOrRule(String line) {
        return line.stripTrailing().equals("--") || line.stripTrailing().equals("---");
    }

    static PatchException unsupported(String what, String line) {
        return new PatchException(
                "The patch is %s, which cannot be applied: %s. Nothing was changed."
                        .formatted(what, line.strip()));
    }

    private void close() throws PatchException {
        List<Hunk> all = hunks.all();
        if (header.isKnown()) {
            sections.add(header.section(all));
        } else {
            header.refuseUnknown();
        }
        header = new FileHeader();
        hunks = new HunkCollector();
        finished = false;
    }
}
