package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an index names. Git checks names when it puts them there, and not when it reads them: for a
 * mere {@code git checkout .} it writes to whatever they say.
 *
 * <p>Format: git's Documentation/gitformat-index.
 *
 * @param links folders of submodules
 * @param dangers names that no commit can hold, because they lead into a {@code .git} or out of the
 *     working tree, in sentences
 * @param shared files beside it that hold most entries of a split index
 */
record GitIndex(List<String> links, List<String> dangers, List<String> shared) {
    static final int MOST_BYTES = 64 * 1024 * 1024; // some 600,000 files

    /** Of a file that is not read. */
    static final GitIndex NONE = new GitIndex(List.of(), List.of(), List.of());

    private static final List<Integer> HASHES = List.of(20, 32); // bytes: SHA-1, SHA-256
    private static final int MOST_ASTRAY = 20; // one is enough to put the index away
    private static final int MOST_NAME = 80; // characters of a name that are shown

    /** Nothing of a file that is too long, or not there. */
    static GitIndex of(Path file) {
        return GitFiles.bytes(file, MOST_BYTES)
                .map(bytes -> of(bytes).orElseGet(() -> unreadable(file)))
                .orElse(NONE);
    }

    private static GitIndex unreadable(Path file) {
        String danger = "cannot be read as an index " + GitFiles.digest(file);
        return new GitIndex(List.of(), List.of(danger), List.of());
    }

    /** Empty if it is none, or one that git might read in another way. */
    static Optional<GitIndex> of(byte[] bytes) {
        Optional<GitIndex> found = Optional.empty();
        for (int hash : HASHES) { // made with care, it makes sense in both ways
            Optional<GitIndex> read = of(bytes, hash);
            found = found.isPresent() ? found.map(one -> read.map(one::and).orElse(one)) : read;
        }
        return found;
    }

    private static Optional<GitIndex> of(byte[] bytes, int hash) {
        try {
            return Optional.of(new Reading(ByteBuffer.wrap(bytes), hash).all());
        } catch (IllegalArgumentException
                | IndexOutOfBoundsException
                | NegativeArraySizeException
                | BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private GitIndex and(GitIndex other) {
        return new GitIndex(
                both(links, other.links), both(dangers, other.dangers), both(shared, other.shared));
    }

    private static List<String> both(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    /** Whether git would never put it into a commit. */
    static boolean isAstray(String name) {
        for (String part : name.toLowerCase(Locale.ROOT).split("/", -1)) {
            if (Set.of("", ".", "..", ".git", "git~1").contains(part)) {
                return true;
            }
        }
        return name.indexOf('\0') >= 0;
    }

    /** One attempt to make sense of the bytes. */
    private static final class Reading {
        private static final int SIGNATURE = 0x44495243; // DIRC
        private static final int SPLIT = 0x6c696e6b; // link
        private static final int END_OF_ENTRIES = 0x454f4945; // EOIE
        private static final int OFFSETS = 0x49454f54; // IEOT
        private static final int HEAD = 8; // of an extension: its name and its length
        private static final int MODE_AT = 24;
        private static final int NAME_LENGTH_MASK = 0xfff;
        private static final int EXTENDED = 0x4000;
        private static final int TYPE = 0170000;
        private static final int LINK = 0160000;
        private static final int FOLDER = 0040000; // of a sparse index
        private static final Set<Integer> TYPES = Set.of(0100000, 0120000, LINK, FOLDER);

        private final ByteBuffer in;
        private final int hash;
        private final List<String> links = new ArrayList<>();
        private final List<String> dangers = new ArrayList<>();
        private int[] starts = new int[0];
        private byte[] name = new byte[0];

        Reading(ByteBuffer in, int hash) {
            this.in = in;
            this.hash = hash;
        }

        GitIndex all() {
            must(in.getInt() == SIGNATURE);
            int version = in.getInt();
            int count = in.getInt();
            must(count <= in.remaining() / (MODE_AT + hash));
            starts = new int[count + 1];
            for (int i = 0; i < count; i++) {
                starts[i] = in.position();
                entry(version);
            }
            starts[count] = in.position();
            return new GitIndex(List.copyOf(links), List.copyOf(dangers), extensions());
        }

        /** Moves behind the entry. */
        private void entry(int version) {
            int start = in.position();
            int type = in.getInt(start + MODE_AT) & TYPE;
            must(TYPES.contains(type));
            int flagsAt = start + 40 + hash;
            int flags = in.getShort(flagsAt);
            int nameAt = flagsAt + ((flags & EXTENDED) != 0 ? 4 : 2);
            if (version == 4) {
                in.position(nameAt);
                int kept = name.length - dropped();
                name = name(in.position(), kept, -1);
            } else {
                int length = flags & NAME_LENGTH_MASK;
                name = name(nameAt, 0, length == NAME_LENGTH_MASK ? -1 : length);
                int end = nameAt + name.length;
                in.position(end + 8 - (end - start) % 8); // one to eight NUL
            }
            judge(new String(name, StandardCharsets.UTF_8), type);
        }

        /** A split index has entries without a name; a folder's name ends with a slash. */
        private void judge(String said, int type) {
            boolean folder = type == FOLDER && said.endsWith("/");
            String path = folder ? said.substring(0, said.length() - 1) : said;
            if (!said.isEmpty() && isAstray(path)) {
                if (dangers.size() < MOST_ASTRAY) {
                    dangers.add(danger(said));
                }
            } else if (type == LINK) {
                links.add(said);
            }
        }

        private static String danger(String said) {
            return "names "
                    + (said.length() > MOST_NAME ? said.substring(0, MOST_NAME) + "…" : said)
                    + ", where a checkout would write (git reset makes a new one)";
        }

        /** A number as in packs: seven bits a byte, and one more for each further byte. */
        private int dropped() {
            int b = in.get();
            int value = b & 0x7f;
            while ((b & 0x80) != 0) {
                b = in.get();
                value = (value + 1 << 7) + (b & 0x7f);
            }
            return value;
        }

        /**
         * @param kept bytes of the name before that this one begins with
         * @param length of what is written; negative to go on to the NUL and behind it
         */
        private byte[] name(int at, int kept, int length) {
            int end = at + Math.max(0, length);
            while (length < 0 && in.get(end) != 0) {
                end++;
            }
            byte[] whole = new byte[kept + end - at];
            System.arraycopy(name, 0, whole, 0, kept);
            in.get(at, whole, kept, end - at);
            if (length < 0) {
                in.position(end + 1);
            }
            return whole;
        }

        /** Shared files. Some say where entries are, which has to be where they are. */
        private List<String> extensions() {
            int end = in.limit() - hash; // of the whole there is a hash behind them
            int last = end - HEAD - Integer.BYTES - hash;
            if (last >= 0 && in.getInt(last) == END_OF_ENTRIES) {
                must(in.getInt(last + HEAD) == in.position());
            }
            List<String> shared = new ArrayList<>();
            while (in.position() <= end - HEAD) {
                int kind = in.getInt();
                int next = in.getInt() + in.position();
                must(next >= in.position());
                if (kind == SPLIT) {
                    byte[] id = new byte[hash];
                    in.get(in.position(), id);
                    shared.add("sharedindex." + HexFormat.of().formatHex(id));
                } else if (kind == OFFSETS) {
                    offsets(next);
                }
                in.position(next);
            }
            must(in.position() == end);
            return shared;
        }

        /** Blocks of entries, each with where it begins and how many are in it. */
        private void offsets(int end) {
            int first = 0;
            for (int at = in.position() + Integer.BYTES; at < end; at += HEAD) {
                must(in.getInt(at) == starts[first]);
                first += in.getInt(at + Integer.BYTES);
            }
            must(first == starts.length - 1);
        }

        private static void must(boolean holds) {
            if (!holds) {
                throw new IllegalArgumentException("not as git writes it");
            }
        }
    }
}
