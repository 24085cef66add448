package dev.agentloop.git;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files as a commit has them, read from where git keeps them: nothing is checked out, and a link is
 * never followed. What is read is what the commit's name stands for, whatever has been done to the
 * store: all hashes on the way are computed anew.
 */
public final class CommitFiles {
    private final ObjectReader objects;
    private final Path prefix;
    private final String words;
    private final Revision revision;

    /** Something that the commit holds under a name. */
    public sealed interface Entry {
        /** A file with its text. */
        record Text(String text) implements Entry {}

        /** A link, a submodule, a folder, or a file that is too large; {@code what} says which. */
        record Unread(String what) implements Entry {}
    }

    private CommitFiles(ObjectReader objects, Path prefix, String words, Revision revision) {
        this.objects = objects;
        this.prefix = prefix;
        this.words = words;
        this.revision = revision;
    }

    /**
     * Looks a commit up.
     *
     * @param folder that paths are relative to, in the work tree of the repository
     * @param ref what a person calls the commit
     * @param notes of what commands of runs may have changed
     * @throws IOException if there is none, saying why in git's words, or if a command may have
     *     chosen it
     */
    public static CommitFiles of(Git git, Path folder, String ref, RefNotes notes)
            throws IOException {
        GitPlace place = git.place(folder);
        Path real = folder.toRealPath();
        if (!real.startsWith(place.root())) {
            throw new IOException("git takes " + place.root() + " for the work tree, not " + real);
        }
        ObjectReader objects = new ObjectReader(git, place);
        try (PrivateGitFolder questions = PrivateGitFolder.of(git, place)) {
            Revision revision = Revision.of(questions, objects, ref);
            if (!revision.ref().isEmpty()) {
                notes.check(place, revision);
            }
            return new CommitFiles(objects, place.root().relativize(real), ref, revision);
        }
    }

    /** The same commit, asked for by commands of another runner. */
    public CommitFiles through(ProcessRunner runner, Cancellation cancellation) {
        Git other = objects.git().through(runner, cancellation);
        return new CommitFiles(objects.through(other), prefix, words, revision);
    }

    /** The words by which the user named the commit, such as {@code origin/main}. */
    public String ref() {
        return words;
    }

    /** The commit that this meant when it was looked up, for all that is read later. */
    public String id() {
        return revision.commit();
    }

    /**
     * What stands under a name; empty if nothing does.
     *
     * @param file relative to the folder
     * @throws IOException if git does not say it, or what it says is not what the commit stands for
     */
    public Optional<Entry> read(Path file, int maxBytes) throws IOException {
        Path path = prefix.resolve(file).normalize();
        ObjectReader.Child at = new ObjectReader.Child("40000", objects.tree(id()));
        for (Path part : path) {
            Optional<ObjectReader.Child> next =
                    at.mode().equals("40000")
                            ? objects.child(at.id(), part.toString())
                            : Optional.empty();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            at = next.get();
        }
        return Optional.of(entry(at, maxBytes));
    }

    private Entry entry(ObjectReader.Child child, int maxBytes) throws IOException {
        return switch (child.mode()) {
            case "120000" -> new Entry.Unread("a symbolic link");
            case "160000" -> new Entry.Unread("a submodule");
            case "40000" -> new Entry.Unread("a folder");
            default ->
                    objects.read(child.id(), maxBytes)
                            .<Entry>map(found ->
                                    new Entry.Text(
                                            new String(found.content(), StandardCharsets.UTF_8)))
                            .orElse(new Entry.Unread("larger than " + maxBytes + " bytes"));
        };
    }
}
