package dev.agentloop.git;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Files as a commit has them, read from where git keeps them: nothing is checked out, and a link is
 * never followed.
 *
 * @param folder that paths are relative to, in the work tree of the repository
 * @param ref as it was given
 * @param id of the commit that it meant when it was looked up, for all that is read later
 */
public record CommitFiles(Git git, Path folder, String ref, String id) {
    private static final String COMMIT = "^{commit}";
    private static final String AMBIGUOUS = "is ambiguous"; // in all versions, with LC_ALL=C

    /** Something that the commit holds under a name. */
    public sealed interface Entry {
        /** A file with its text. */
        record Text(String text) implements Entry {}

        /** A link, a submodule, a folder, or a file that is too large; {@code what} says which. */
        record Unread(String what) implements Entry {}
    }

    /**
     * Looks a commit up.
     *
     * @throws IOException if there is none, saying why in git's words
     */
    public static CommitFiles of(Git git, Path folder, String ref) throws IOException {
        Git.Answer answer =
                git.ask(folder, List.of("rev-parse", "--verify", "--end-of-options", ref + COMMIT));
        if (!answer.complete()) {
            throw new IOException(
                    answer.trouble().isEmpty()
                            ? "git has not answered in " + git.patience().toSeconds() + " s"
                            : answer.trouble().lines().findFirst().orElse(""));
        }
        if (answer.trouble().contains(AMBIGUOUS)) { // a branch of a pull request may have any name
            throw new IOException(
                    "more than one branch or tag is called so; write refs/remotes/… or refs/heads/…");
        }
        return new CommitFiles(git, folder, ref, answer.text().strip());
    }

    /** The same commit, asked for by commands of another runner. */
    public CommitFiles through(ProcessRunner runner, Cancellation cancellation) {
        Git other = Git.of(git.program(), runner, git.reach(), git.patience(), cancellation);
        return new CommitFiles(other, folder, ref, id);
    }

    /**
     * What stands under a name; empty if nothing does.
     *
     * @param file relative to the folder
     * @throws IOException if git does not say it
     */
    public Optional<Entry> read(Path file, int maxBytes) throws IOException {
        Git.Answer listed = git.ask(folder, List.of("ls-tree", "-z", "-l", id, "--", file + ""));
        if (!listed.complete()) {
            throw new IOException(
                    "git cannot list " + file + " of " + ref + ": " + listed.trouble());
        }
        for (String line : listed.text().split("\0")) {
            int tab = line.indexOf('\t');
            if (tab > 0 && line.substring(tab + 1).equals(file.toString())) {
                return Optional.of(entry(line.substring(0, tab).split(" +"), file, maxBytes));
            }
        }
        return Optional.empty();
    }

    /**
     * @param fields mode, type, id, size
     */
    private Entry entry(String[] fields, Path file, int maxBytes) throws IOException {
        if (!fields[0].startsWith("100")) {
            return new Entry.Unread(
                    switch (fields[0]) {
                        case "120000" -> "a symbolic link";
                        case "160000" -> "a submodule";
                        default -> "a folder";
                    });
        }
        if (!fields[3].chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IOException("git has no content of " + file + " of " + ref);
        }
        if (Long.parseLong(fields[3]) > maxBytes) {
            return new Entry.Unread("larger than " + maxBytes + " bytes");
        }
        Git.Answer blob = git.ask(folder, List.of("cat-file", "blob", fields[2]));
        if (!blob.complete()) {
            throw new IOException("git cannot read " + file + " of " + ref + ": " + blob.trouble());
        }
        return new Entry.Text(blob.text());
    }
}
