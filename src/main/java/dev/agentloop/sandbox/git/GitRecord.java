package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.RecordText;
import dev.agentloop.sandbox.git.settings.SettingsBackup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was found before a command, as lines of text: if this program is killed meanwhile, its next
 * start compares with them. Of settings and traps there are digests only, as they may hold secrets.
 */
public final class GitRecord {
    private static final int MOST = 2 * 1024 * 1024; // characters; 2,000 repositories take half
    private static final int MOST_REFERENCES = 2000; // of one repository, some 100 bytes each
    private static final String DIGEST = "\0"; // no setting and no sentence begins with it
    private static final String NO_BASE = "-";

    private @Nullable Content last;
    private Optional<String> text = Optional.empty();

    /** All that the lines are made of. */
    private record Content(
            List<GitWatch.Own> own,
            Map<Path, List<String>> dangers,
            Map<Path, Map<String, String>> remotes,
            Map<Path, String> stores,
            Set<Path> submodules,
            Map<Path, Held> contents,
            Set<Path> closed) {}

    private record Held(boolean whole, Map<Path, String> packed, Map<String, String> refs) {}

    /** Empty if it is too long, or the look itself was not whole. */
    public synchronized Optional<String> text(GitWatch.Before before) {
        if (!before.failed().isEmpty()) {
            return Optional.empty();
        }
        Content content = content(before);
        if (!content.equals(last)) { // most commands leave repositories as they are
            StringBuilder made = new StringBuilder();
            write(content, made);
            text = made.length() > MOST ? Optional.empty() : Optional.of(made.toString());
            last = content;
        }
        return text;
    }

    private static Content content(GitWatch.Before before) {
        Map<Path, Path> bases = before.watch().known();
        Map<Path, String> stores = new LinkedHashMap<>();
        for (Path store : before.stores()) {
            Path base = bases.get(store);
            stores.put(store, base == null ? NO_BASE : RecordText.path(base));
        }
        Map<Path, Held> contents = new LinkedHashMap<>();
        before.contents()
                .forEach((store, state) ->
                        contents.put(store, new Held(state.whole(), state.packed(), state.refs())));
        return new Content(
                List.copyOf(before.own()),
                before.dangers(),
                before.remotes(),
                stores,
                before.submodules(),
                contents,
                before.closed());
    }

    private static void write(Content content, StringBuilder text) {
        for (GitWatch.Own own : content.own) {
            line(text, "own", own.store(), own.covered() + " " + own.holds());
        }
        content.stores.forEach((store, base) -> line(text, "store", store, base));
        content.submodules.forEach(store -> line(text, "submodule", store, ""));
        content.closed.forEach(folder -> line(text, "closed", folder, ""));
        content.dangers.forEach((file, dangers) -> {
            List<String> digests = dangers.stream().map(RecordText::digest).toList();
            line(text, "danger", file, String.join(" ", digests));
        });
        content.remotes.forEach((file, settings) -> {
            line(text, "remotes", file, "");
            settings.forEach((name, value) -> {
                String digest = RecordText.digest(value);
                line(text, "remote", file, RecordText.word(name) + " " + digest);
            });
        });
        content.contents.forEach((store, held) -> write(store, held, text));
    }

    private static void write(Path store, Held held, StringBuilder text) {
        held.packed.forEach((file, stamp) -> {
            String rest = RecordText.path(file) + " " + RecordText.word(stamp);
            line(text, "pack", store, rest);
        });
        if (held.refs.size() > MOST_REFERENCES) {
            line(text, "unlisted", store, "");
        } else {
            held.refs.forEach((name, value) -> {
                String rest = RecordText.word(name) + " " + RecordText.word(value);
                line(text, "ref", store, rest);
            });
        }
    }

    private static void line(StringBuilder text, String word, Path path, String rest) {
        text.append("git ").append(word).append(' ').append(RecordText.path(path));
        text.append(rest.isEmpty() ? "" : " ").append(rest).append('\n');
    }

    /**
     * What the lines of a record say about the repositories before the killed command.
     *
     * @param bases of stores, from which they name folders of hooks
     * @param packed files with their stamps, by store
     * @param refs by store and name
     * @param unlisted stores of which the references are not in here
     * @param closed folders that could not be listed
     */
    public record Lines(
            List<GitWatch.Own> own,
            Map<Path, List<String>> dangers,
            Map<Path, Map<String, String>> remotes,
            Set<Path> stores,
            Map<Path, Path> bases,
            Set<Path> submodules,
            Map<Path, Map<Path, String>> packed,
            Map<Path, Map<String, String>> refs,
            Set<Path> unlisted,
            Set<Path> closed) {
        public Lines() {
            this(
                    new ArrayList<>(),
                    new HashMap<>(),
                    new HashMap<>(),
                    new LinkedHashSet<>(),
                    new LinkedHashMap<>(),
                    new HashSet<>(),
                    new HashMap<>(),
                    new HashMap<>(),
                    new LinkedHashSet<>(),
                    new HashSet<>());
        }

        /**
         * Takes one more line of the record.
         *
         * @param words of the line, from the second on
         * @throws IllegalArgumentException if it is none of ours
         * @throws IndexOutOfBoundsException if something of it is missing
         */
        public void add(List<String> words) {
            Path path = RecordText.path(words.get(1));
            switch (words.getFirst()) {
                case "own" -> own(path, words.get(2), words.get(3));
                case "store" -> store(path, words.get(2));
                case "submodule" -> submodules.add(path);
                case "closed" -> closed.add(path);
                case "danger" ->
                        dangers.put(
                                path,
                                words.subList(2, words.size()).stream()
                                        .map(DIGEST::concat)
                                        .toList());
                case "remotes" -> remotes.put(path, new LinkedHashMap<>());
                case "remote" ->
                        remotes.computeIfAbsent(path, _ -> new LinkedHashMap<>())
                                .put(RecordText.name(words.get(2)), DIGEST + words.get(3));
                case "pack" ->
                        packed.computeIfAbsent(path, _ -> new HashMap<>())
                                .put(RecordText.path(words.get(2)), RecordText.name(words.get(3)));
                case "ref" ->
                        refs.computeIfAbsent(path, _ -> new TreeMap<>())
                                .put(RecordText.name(words.get(2)), RecordText.name(words.get(3)));
                case "unlisted" -> unlisted.add(path);
                default -> throw new IllegalArgumentException(words.getFirst());
            }
        }

        /** As if it had been looked at now. */
        GitWatch.Before before(GitWatch watch, Map<Path, OwnStore.State> contents) {
            List<String> failed = new ArrayList<>();
            for (Path store : unlisted) {
                failed.add(
                        "the references of "
                                + GitFiles.oneLine(store.toString())
                                + " were not compared, there are too many");
            }
            return new GitWatch.Before(
                    watch,
                    own,
                    dangers,
                    remotes,
                    stores,
                    submodules,
                    contents,
                    closed,
                    SettingsBackup.NONE,
                    failed);
        }

        private void own(Path store, String covered, String holds) {
            own.add(
                    new GitWatch.Own(
                            store, Boolean.parseBoolean(covered), GitWatch.Holds.valueOf(holds)));
        }

        private void store(Path store, String base) {
            stores.add(store);
            if (!base.equals(NO_BASE)) {
                bases.put(store, RecordText.path(base));
            }
        }
    }

    /** Takes away those that were there, of which only digests may be known. */
    static void removeKnown(List<String> dangers, List<String> were) {
        dangers.removeIf(danger ->
                were.contains(danger) || were.contains(DIGEST + RecordText.digest(danger)));
    }

    /**
     * Settings as they were. Where only the digest of a value is known, the present value stands in
     * for it if it has that digest.
     */
    static Map<String, String> known(Map<String, String> were, Map<String, String> are) {
        Map<String, String> known = new LinkedHashMap<>(were);
        known.replaceAll((name, was) -> {
            String is = are.get(name);
            return is != null && was.equals(DIGEST + RecordText.digest(is)) ? is : was;
        });
        return known;
    }
}
