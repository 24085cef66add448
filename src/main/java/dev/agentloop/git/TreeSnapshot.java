package dev.agentloop.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All files of a work tree that git does not ignore, written to objects as they are; the repository
 * gets those with the commit. Git's own {@code add} and {@code commit} would ask within each
 * repository below, which has settings of its own; these commands take of one no more than the
 * commit at which it stands.
 *
 * @param index of the private folder, with what is in the tree
 * @param tree its name; empty if it could not be written
 * @param changed how many files were taken
 * @param trouble what was not taken, and why; empty if all was
 */
public record TreeSnapshot(
        PrivateGitFolder git, Path index, String tree, int changed, String trouble) {
    private static final String LINK = "160000 "; // the mode of a repository within another one
    private static final List<String> TAKE =
            List.of("update-index", "--add", "--remove", "--replace", "-z", "--stdin");

    /** Takes one; the repository's own index stays as it is. */
    public static TreeSnapshot of(PrivateGitFolder git) throws IOException {
        git.ownObjects();
        Path index = git.ownIndex();
        Names known = Names.listed(git, "changed", List.of("ls-files", "-z", "-m"));
        Names made =
                Names.listed(git, "made", List.of("ls-files", "-z", "-o", "--exclude-standard"));
        int changed = known.files.size() + made.files.size() + made.repositories.size();
        List<String> troubles = new ArrayList<>();
        for (List<byte[]> names : List.of(known.files, made.files)) { // what is gone comes first
            take(git, names, troubles);
        }
        if (!troubles.isEmpty()) {
            return new TreeSnapshot(git, index, "", changed, troubles.getFirst());
        }
        List<String> left = new ArrayList<>();
        for (byte[] repository : made.repositories) {
            if (!take(git, List.of(repository), troubles)) {
                left.add(new String(repository, StandardCharsets.UTF_8));
            }
        }
        Git.Answer tree = git.ask(List.of("write-tree"));
        if (!tree.complete()) {
            return new TreeSnapshot(git, index, "", changed, tree.trouble());
        }
        String lacks =
                left.isEmpty()
                        ? ""
                        : "repositories without a commit are in no branch: "
                                + String.join(", ", left);
        return new TreeSnapshot(git, index, tree.text().strip(), changed, lacks);
    }

    /** Whether a repository stands in the work tree that is known to be one. */
    public static boolean hasRepositories(PrivateGitFolder git) throws IOException {
        return Names.listed(git, "staged", List.of("ls-files", "-z", "-s")).files.stream()
                .anyMatch(entry -> new String(entry, StandardCharsets.UTF_8).startsWith(LINK));
    }

    /** Commits it; gives the name of the commit. */
    public String commit(List<String> parents, String message) throws IOException {
        List<String> words = new ArrayList<>();
        if (!git.ask(List.of("var", "GIT_COMMITTER_IDENT")).complete()) { // git knows no name
            words.addAll(List.of("-c", "user.name=agent", "-c", "user.email=agent@localhost"));
        }
        words.addAll(List.of("commit-tree", "--no-gpg-sign", tree));
        for (String parent : parents) {
            words.addAll(List.of("-p", parent));
        }
        words.addAll(List.of("-m", message));
        String commit = git.ask(words).required("the work cannot be committed").strip();
        git.ownObjects().deliver();
        return commit;
    }

    private static boolean take(PrivateGitFolder git, List<byte[]> names, List<String> troubles)
            throws IOException {
        if (names.isEmpty()) {
            return true;
        }
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (byte[] name : names) {
            list.write(name);
            list.write(0);
        }
        Path file = Files.write(git.file("names"), list.toByteArray());
        Git.Answer done = git.ask(file, Git.Asking.NOTHING, TAKE);
        if (!done.complete()) {
            troubles.add(done.trouble());
        }
        return done.complete();
    }

    /**
     * Names as git has listed them, as bytes: not every name is a text.
     *
     * @param repositories folders that have one of their own
     */
    private record Names(List<byte[]> files, List<byte[]> repositories) {
        static Names listed(PrivateGitFolder git, String output, List<String> words)
                throws IOException {
            Path file = git.file(output);
            git.ask(Git.Asking.NOTHING, file, words)
                    .required("git cannot list the files of the tree");
            byte[] all = Files.readAllBytes(file);
            Names names = new Names(new ArrayList<>(), new ArrayList<>());
            int start = 0;
            for (int at = 0; at < all.length; at++) {
                if (all[at] == 0) {
                    names.add(Arrays.copyOfRange(all, start, at));
                    start = at + 1;
                }
            }
            return names;
        }

        private void add(byte[] name) {
            if (name.length > 0 && name[name.length - 1] == '/') {
                repositories.add(Arrays.copyOf(name, name.length - 1));
            } else {
                files.add(name);
            }
        }
    }
}
