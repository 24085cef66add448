package dev.agentloop.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads objects by their names and computes each name anew from what was read. Git does not do
 * that: it believes a file in its store, and whoever could write there may have put other content
 * under the name.
 */
final class ObjectReader {
    private static final int MOST_OF_STRUCTURE = 16 * 1024 * 1024; // bytes of a commit or folder

    private final Git git;
    private final GitPlace place;
    private final Map<String, Read> known;

    /** An object of the repository: its type (blob, tree, commit or tag) and its content. */
    record Read(String type, byte[] content) {
        /** What the lines of a commit or tag say that begin with a word. */
        List<String> values(String word) {
            return new String(content, StandardCharsets.ISO_8859_1)
                    .lines()
                    .takeWhile(line -> !line.isEmpty())
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> line.substring(word.length() + 1))
                    .toList();
        }
    }

    /** An entry of a folder. */
    record Child(String mode, String id) {}

    ObjectReader(Git git, GitPlace place) {
        this(git, place, new ConcurrentHashMap<>());
    }

    private ObjectReader(Git git, GitPlace place, Map<String, Read> known) {
        this.git = git;
        this.place = place;
        this.known = known;
    }

    /** The same, asked for by another git. */
    ObjectReader through(Git other) {
        return new ObjectReader(other, place, known);
    }

    Git git() {
        return git;
    }

    /** A commit, or the one that a tag names. */
    String commit(String id) throws IOException {
        Read read = structure(id);
        if (read.type.equals("commit")) {
            return id;
        }
        List<String> named = read.type.equals("tag") ? read.values("object") : List.of();
        if (named.size() != 1) {
            throw new IOException(id + " is no commit but a " + read.type);
        }
        return commit(checked(named.getFirst(), id.length()));
    }

    /** The parents of a commit, which shallow clones may not have. */
    List<String> parents(String commit) throws IOException {
        return structure(commit).values("parent");
    }

    /** The folder that a commit has at its root. */
    String tree(String commit) throws IOException {
        List<String> trees = structure(commit).values("tree");
        if (trees.size() != 1) {
            throw new IOException(commit + " names no tree");
        }
        return checked(trees.getFirst(), commit.length());
    }

    /** What a folder has under a name. */
    Optional<Child> child(String tree, String name) throws IOException {
        byte[] content = structure(tree).content;
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        int bytesOfId = tree.length() / 2;
        int at = 0;
        while (at < content.length) {
            int blank = find(content, at, (byte) ' ');
            int end = find(content, blank, (byte) 0);
            int next = end + 1 + bytesOfId;
            if (next > content.length) {
                throw new IOException("the folder " + tree + " is cut off");
            }
            if (Arrays.equals(content, blank + 1, end, wanted, 0, wanted.length)) {
                String mode = new String(content, at, blank - at, StandardCharsets.US_ASCII);
                String id = HexFormat.of().formatHex(content, end + 1, next);
                return Optional.of(new Child(mode, id));
            }
            at = next;
        }
        return Optional.empty();
    }

    private static int find(byte[] content, int from, byte wanted) throws IOException {
        for (int at = from; at < content.length; at++) {
            if (content[at] == wanted) {
                return at;
            }
        }
        throw new IOException("a folder in the repository is cut off");
    }

    private Read structure(String id) throws IOException {
        return read(id, MOST_OF_STRUCTURE)
                .orElseThrow(() -> new IOException(id + " is larger than a commit or folder"));
    }

    /**
     * The object of a name; empty if it is larger than that.
     *
     * @throws IOException if there is none, or its content has another name
     */
    Optional<Read> read(String id, int maxBytes) throws IOException {
        Read before = known.get(id);
        if (before != null) {
            return before.content.length > maxBytes ? Optional.empty() : Optional.of(before);
        }
        try (PrivateGitFolder folder = PrivateGitFolder.forObjects(git, place, id.length())) {
            Path asked = Files.writeString(folder.file("asked"), id + "\n");
            Path said = folder.file("said");
            folder.ask(asked, said, List.of("cat-file", "--batch-check"))
                    .required("git cannot look up " + id);
            String[] fields = Files.readString(said, StandardCharsets.US_ASCII).strip().split(" ");
            if (fields.length != 3 || !fields[2].matches("\\d{1,18}")) {
                throw new IOException("git has no content of " + id);
            }
            if (Long.parseLong(fields[2]) > maxBytes) {
                return Optional.empty();
            }
            folder.ask(asked, said, List.of("cat-file", fields[1], id))
                    .required("git cannot read " + id);
            Read read = new Read(fields[1], Files.readAllBytes(said));
            check(id, read);
            known.put(id, read);
            return Optional.of(read);
        }
    }

    private static void check(String id, Read read) throws IOException {
        try {
            MessageDigest digest =
                    MessageDigest.getInstance(id.length() == 64 ? "SHA-256" : "SHA-1");
            String header = read.type + " " + read.content.length + "\0";
            digest.update(header.getBytes(StandardCharsets.US_ASCII));
            String computed = HexFormat.of().formatHex(digest.digest(read.content));
            if (!computed.equals(id)) {
                throw new IOException(
                        "the repository has other content under the name "
                                + id
                                + ": its hash is "
                                + computed
                                + ". Somebody has replaced the object; clone the repository anew");
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("this Java cannot compute the hashes of git", e);
        }
    }

    /** A name of an object that another one holds. */
    static String checked(String id, int letters) throws IOException {
        if (id.length() != letters || !id.matches("[0-9a-f]+")) {
            throw new IOException("an object of the repository names another one by " + id);
        }
        return id;
    }
}
