package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads unified diffs, those of git with their renames and modes among them. */
final class UnifiedPatch {
    private static final String NOWHERE = "/dev/null";

    private final List<String> lines;
    private final List<Patch.Section> sections = new ArrayList<>();
    private @Nullable String from;
    private @Nullable String to;
    private boolean added;
    private boolean deleted;
    private int mode = Patch.KEEP_MODE;
    private HunkCollector hunks = new HunkCollector();

    UnifiedPatch(List<String> lines) {
        this.lines = lines;
    }

    Patch read() throws PatchException {
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            String next = at + 1 < lines.size() ? lines.get(at + 1) : "";
            boolean names = line.startsWith("--- ") && next.startsWith("+++ ");
            if (line.startsWith("diff --git ")) {
                close();
                git(line);
            } else if (names && !hunks.expectsMore()) {
                if (!hunks.isFresh()) {
                    close();
                }
                names(path(line), path(next));
                at++;
            } else if (!hunks.isFresh() || line.startsWith("@@")) {
                hunks.take(line);
            } else {
                extended(line);
            }
        }
        close();
        return new Patch(List.copyOf(sections));
    }

    private void names(String old, String now) {
        added |= old.equals(NOWHERE);
        deleted |= now.equals(NOWHERE);
        from = old.equals(NOWHERE) ? from : bare(old, "a/", now.startsWith("b/") || deleted);
        to = now.equals(NOWHERE) ? to : bare(now, "b/", old.startsWith("a/") || added);
    }

    /** Without the prefix that git gives both names. */
    private static String bare(String path, String prefix, boolean both) {
        return both && path.startsWith(prefix) ? path.substring(prefix.length()) : path;
    }

    /** Up to a tab, behind which a time stands. */
    private static String path(String line) {
        String path = line.substring(4);
        int tab = path.indexOf('\t');
        return unquoted((tab < 0 ? path : path.substring(0, tab)).strip());
    }

    private static String unquoted(String path) {
        boolean quoted = path.length() > 1 && path.startsWith("\"") && path.endsWith("\"");
        return quoted ? GitQuoting.unquoted(path.substring(1, path.length() - 1)) : path;
    }

    /** The names count only for files that have no others, as empty ones. */
    private void git(String line) {
        String both = line.substring("diff --git ".length()).strip();
        int half = both.length() / 2;
        boolean same =
                both.startsWith("a/")
                        && both.length() % 2 == 1
                        && both.charAt(half) == ' '
                        && both.substring(half + 1).equals("b/" + both.substring(2, half));
        if (same) {
            from = both.substring(2, half);
            to = from;
        }
    }

    private void extended(String line) throws PatchException {
        if (line.startsWith("rename from ")) {
            from = unquoted(line.substring(12).strip());
        } else if (line.startsWith("rename to ")) {
            to = unquoted(line.substring(10).strip());
        } else if (line.startsWith("new mode ")) {
            mode = bits(line.substring(9));
        } else if (line.startsWith("new file mode ")) {
            added = true;
            mode = bits(line.substring(14));
        } else if (line.startsWith("deleted file mode ")) {
            deleted = true;
        } else if (line.startsWith("copy from ")
                || line.startsWith("GIT binary patch")
                || line.startsWith("Binary files ")) {
            throw new PatchException(
                    "This kind of patch cannot be applied: " + line + ". Nothing was changed.");
        } // anything else is for people, or before the first file
    }

    private static int bits(String octal) throws PatchException {
        String digits = octal.strip();
        if (digits.matches("100[0-7]{3}")) {
            return Integer.parseInt(digits.substring(3), 8);
        }
        throw new PatchException(
                "The file mode " + digits + " is not that of a regular file. Nothing was changed.");
    }

    private void close() throws PatchException {
        List<Hunk> all = hunks.all();
        String old = from == null ? to : from;
        String now = to == null ? from : to;
        if (old != null && now != null) {
            sections.add(section(old, now, all));
        } else if (!all.isEmpty()) {
            throw new PatchException(
                    "The patch names no file for its first lines. Write --- a/PATH and +++ b/PATH"
                            + " above them. Nothing was changed.");
        }
        from = null;
        to = null;
        added = false;
        deleted = false;
        mode = Patch.KEEP_MODE;
        hunks = new HunkCollector();
    }

    private Patch.Section section(String old, String now, List<Hunk> all) {
        if (deleted) {
            return new Patch.Delete(old, all);
        }
        if (added) {
            List<String> content = new ArrayList<>();
            boolean newline = true;
            for (Hunk hunk : all) {
                for (Hunk.Line line : hunk.withoutBareEnd().lines()) {
                    content.add(line.text());
                    newline = !line.noNewline();
                }
            }
            return new Patch.Add(now, List.copyOf(content), newline, mode);
        }
        return new Patch.Update(
                old, now.equals(old) ? Optional.empty() : Optional.of(now), all, mode);
    }
}
