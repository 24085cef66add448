package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the lines above the hunks of a unified diff say of a file. */
final class FileHeader {
    private static final String NOWHERE = "/dev/null";
    private static final String[] BACKUPS = {".orig", ".old", ".bak", "~"};
    private static final String PREFIXES = "abciow"; // of git, with diff.mnemonicPrefix as well

    private @Nullable String gitLine;
    private @Nullable String gitName;
    private @Nullable String oldName;
    private @Nullable String newName;
    private @Nullable String renameFrom;
    private @Nullable String renameTo;
    private boolean added;
    private boolean deleted;
    private int mode = Patch.KEEP_MODE;

    /** {@code diff --git a/x b/x}: its name counts for files that have no other, as empty ones. */
    void git(String line) {
        gitLine = line;
        String both = line.substring("diff --git ".length()).strip();
        for (int blank = both.indexOf(' '); blank > 0; blank = both.indexOf(' ', blank + 1)) {
            String name =
                    same(unquoted(both.substring(0, blank)), unquoted(both.substring(blank + 1)));
            if (name != null) {
                gitName = name;
            }
        }
    }

    /** The lines {@code --- x} and {@code +++ x}. */
    void names(String old, String now) {
        oldName = path(old);
        newName = path(now);
    }

    boolean hasNames() {
        return oldName != null;
    }

    boolean isFor(String path) {
        return isFor(path, path);
    }

    /** Whether the names mean these, with git's prefixes or without. */
    boolean isFor(String from, String to) {
        return means(oldName, from) && means(newName, to);
    }

    private static boolean means(@Nullable String name, String path) {
        return name == null
                || name.equals(NOWHERE)
                || name.equals(path)
                || isPrefixed(name) && name.substring(2).equals(path);
    }

    /** The other lines of git. */
    void extended(String line) throws PatchException {
        if (line.startsWith("rename from ")) {
            renameFrom = unquoted(line.substring(12).strip());
        } else if (line.startsWith("rename to ")) {
            renameTo = unquoted(line.substring(10).strip());
        } else if (line.startsWith("new mode ")) {
            mode = bits(line.substring(9));
        } else if (line.startsWith("old mode ")) {
            bits(line.substring(9));
        } else if (line.startsWith("new file mode ")) {
            added = true;
            mode = bits(line.substring(14));
        } else if (line.startsWith("deleted file mode ")) {
            deleted = true;
            bits(line.substring(18));
        } else if (line.matches("index [0-9a-f.]+ \\d{6}")) {
            bits(line.substring(line.lastIndexOf(' ') + 1));
        } else if (line.startsWith("copy from ")) {
            throw UnifiedPatch.unsupported("a copy", line);
        } else if (line.startsWith("GIT binary patch") || line.startsWith("Binary files ")) {
            throw UnifiedPatch.unsupported("one of a binary file", line);
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

    /** Whether a file is named at all, be it in a way that is refused later. */
    boolean isKnown() {
        return oldName != null || gitName != null || renameFrom != null && renameTo != null;
    }

    /** Throws if a header was begun that names no file. */
    void refuseUnknown() throws PatchException {
        if (gitLine != null || renameFrom != null || renameTo != null) {
            throw new PatchException(
                    "It cannot be told which file is meant by: %s. Nothing was changed."
                            .formatted(gitLine == null ? "a rename of half a name" : gitLine));
        }
    }

    Patch.Section section(List<Hunk> hunks) throws PatchException {
        boolean fromNowhere = added || NOWHERE.equals(oldName);
        boolean toNowhere = deleted || NOWHERE.equals(newName);
        if (renameFrom != null && renameTo != null) {
            return new Patch.Update(renameFrom, Optional.of(renameTo), hunks, mode);
        }
        if (fromNowhere && toNowhere) {
            throw new PatchException(
                    "A file is created and deleted by the same header. Nothing was changed.");
        }
        if (toNowhere) {
            return new Patch.Delete(single(oldName, "a/"), hunks);
        }
        if (fromNowhere) {
            return created(single(newName, "b/"), hunks);
        }
        return new Patch.Update(both(), Optional.empty(), hunks, mode);
    }

    /** A name without its counterpart; only the usual prefix is no part of it. */
    private String single(@Nullable String name, String prefix) throws PatchException {
        if (gitName != null) {
            return gitName;
        }
        if (name == null || name.equals(NOWHERE)) {
            throw new PatchException("The patch names no file but /dev/null. Nothing was changed.");
        }
        return name.startsWith(prefix) ? name.substring(2) : name;
    }

    private String both() throws PatchException {
        if (oldName == null || newName == null) {
            return single(gitName, "");
        }
        String name = same(oldName, newName);
        if (name == null) {
            throw new PatchException(
                    ("The patch names two files, %s and %s, and does not say that one is renamed."
                                    + " Write the same name twice, or rename from and rename to."
                                    + " Nothing was changed.")
                            .formatted(oldName, newName));
        }
        return name;
    }

    private Patch.Add created(String path, List<Hunk> hunks) throws PatchException {
        List<String> content = new ArrayList<>();
        boolean newline = true;
        for (Hunk hunk : hunks) {
            for (Hunk.Line line : hunk.withoutBareEnd().lines()) {
                if (line.kind() != Hunk.Kind.ADDED && !line.isBare()) {
                    throw new PatchException(
                            "The patch creates %s, but has a line without its +: %s. Nothing was changed."
                                    .formatted(path, line.asWritten()));
                }
                content.add(line.text());
                newline = !line.noNewline();
            }
        }
        return new Patch.Add(path, List.copyOf(content), newline, mode);
    }

    /** The one file that two names mean; null if they mean two. */
    private static @Nullable String same(String old, String now) {
        boolean prefixes = isPrefixed(old) && isPrefixed(now) && old.charAt(0) != now.charAt(0);
        if (prefixes && old.substring(2).equals(now.substring(2))) {
            return old.substring(2);
        }
        if (old.equals(now)
                || isPrefixed(old) && old.substring(2).equals(now)
                || isBackup(old, now)) {
            return now;
        }
        return isPrefixed(now) && now.substring(2).equals(old) ? old : null;
    }

    private static boolean isPrefixed(String name) {
        return name.length() > 2 && name.charAt(1) == '/' && PREFIXES.indexOf(name.charAt(0)) >= 0;
    }

    private static boolean isBackup(String old, String now) {
        for (String ending : BACKUPS) {
            if (old.equals(now + ending)) {
                return true;
            }
        }
        return false;
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
}
