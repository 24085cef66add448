package dev.agentloop.session.jsonl;

import dev.agentloop.session.PlainText;
import dev.agentloop.session.SessionException;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The folders {@code YYYY/MM/ID} below the root: makes new ones, lists them, finds one by id. */
record SessionFolders(Path root) {
    private static final int MIN_PREFIX = 6; // shorter ones mean a whole day or more
    private static final int MAX_CANDIDATES = 5;
    private static final int MAX_ATTEMPTS = 100; // a clash needs the same millisecond and seed

    /** Makes the folder of a new session. */
    Path create(SessionId ids, long wallMillis) throws IOException {
        for (int attempt = 1; ; attempt++) {
            String id = ids.next(wallMillis);
            Path dir = month(id).resolve(id);
            PrivateFiles.ensureDirectory(root);
            PrivateFiles.ensureDirectory(root.resolve(SessionId.month(id).subpath(0, 1)));
            PrivateFiles.ensureDirectory(month(id));
            try {
                PrivateFiles.createDirectory(dir);
                return dir;
            } catch (FileAlreadyExistsException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Begins the name of a folder that is not a session yet. */
    static final String HIDDEN = ".new-";

    /** Makes a folder that no list shows, for a session that is being put together. */
    Path hidden(SessionId ids, long wallMillis) throws IOException {
        String id = ids.next(wallMillis);
        PrivateFiles.ensureDirectory(month(id));
        Path dir = month(id).resolve(HIDDEN + id);
        PrivateFiles.createDirectory(dir);
        return dir;
    }

    /** Where the session of this id is or will be. */
    Path place(String id) {
        return month(id).resolve(id);
    }

    /** The folders that hold sessions. */
    List<Path> months() {
        List<Path> months = new ArrayList<>();
        children(root).forEach(year -> months.addAll(children(year)));
        return months;
    }

    /** Folders of all sessions, newest first. */
    List<Path> all() {
        List<Path> found = new ArrayList<>();
        for (Path year : children(root)) {
            for (Path month : children(year)) {
                for (Path dir : children(month)) {
                    if (SessionId.isValid(name(dir))) {
                        found.add(dir);
                    }
                }
            }
        }
        found.sort((a, b) -> name(b).compareTo(name(a)));
        return found;
    }

    /** The folder of the session that {@code text}, an id or the beginning of one, means. */
    Path find(String text) throws SessionException {
        String wanted = text.strip().toUpperCase(Locale.ROOT);
        if (SessionId.isValid(wanted)) {
            Path dir = month(wanted).resolve(wanted);
            if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
                return dir;
            }
        }
        if (wanted.length() < MIN_PREFIX) {
            throw new SessionException(
                    "Give at least "
                            + MIN_PREFIX
                            + " characters of the session's id. \"agent sessions list --all\" shows"
                            + " all.");
        }
        List<Path> all = all();
        List<Path> matches = all.stream().filter(dir -> name(dir).startsWith(wanted)).toList();
        if (matches.isEmpty()) {
            throw unknown(text.strip(), all);
        }
        if (matches.size() > 1) {
            throw ambiguous(wanted, matches);
        }
        return matches.getFirst();
    }

    static String name(Path dir) {
        return String.valueOf(dir.getFileName());
    }

    private Path month(String id) {
        return root.resolve(SessionId.month(id));
    }

    private static SessionException ambiguous(String wanted, List<Path> matches) {
        List<String> some =
                matches.stream().limit(MAX_CANDIDATES).map(SessionFolders::name).toList();
        return new SessionException(
                matches.size()
                        + " sessions begin with "
                        + wanted
                        + ": "
                        + String.join(", ", some)
                        + (matches.size() > MAX_CANDIDATES ? ", …" : "")
                        + ". Give more characters.");
    }

    private SessionException unknown(String text, List<Path> all) {
        String wanted = text.toUpperCase(Locale.ROOT);
        String hint =
                all.stream()
                        .map(SessionFolders::name)
                        .min(Comparator.comparingInt(id -> distance(wanted, id)))
                        .map(id -> " The nearest is " + id + ".")
                        .orElse(" There are no sessions yet.");
        return new SessionException(
                "There is no session "
                        + PlainText.cut(PlainText.escape(text), 40)
                        + " in "
                        + root
                        + "."
                        + hint);
    }

    /** How many characters must be added, dropped or replaced (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }

    private static List<Path> children(Path dir) {
        List<Path> children = new ArrayList<>();
        if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
            return children;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            entries.forEach(children::add);
        } catch (IOException | DirectoryIteratorException e) {
            return children; // what cannot be listed cannot be offered either
        }
        return children;
    }
}
