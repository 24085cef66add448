package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.EditException;
import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.TextEncoding;
import dev.agentloop.edit.TextFile;
import dev.agentloop.message.FileChange;
import dev.agentloop.patch.FilePatch;
import dev.agentloop.patch.Patch;
import dev.agentloop.patch.PatchException;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.file.FileTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The files of a patch as its sections change them, one after the other, in memory. */
final class PatchedFiles {
    private final ToolContext context;
    private final Map<Path, State> files = new LinkedHashMap<>();

    PatchedFiles(ToolContext context) {
        this.context = context;
    }

    /** One name, what it held before the patch and what it is to hold; null for no file. */
    static final class State {
        private final Path file;
        private final byte @Nullable [] before;
        private byte @Nullable [] now;
        private byte @Nullable [] known; // what the model knows of it, if that is something else
        private Path like;
        private int mode = Patch.KEEP_MODE;
        private @Nullable Path movedFrom;
        private LineDiff lines = new LineDiff(0, 0);
        private final List<String> notes = new ArrayList<>();

        State(Path file, byte @Nullable [] before) {
            this.file = file;
            this.before = before;
            this.now = before;
            this.like = file;
        }

        private byte[] before() {
            return Objects.requireNonNull(before, "a file that the model has seen");
        }

        private boolean isChanged() {
            return !Arrays.equals(before, now) || mode != Patch.KEEP_MODE;
        }
    }

    void take(Patch.Section section) throws IOException, ToolException {
        try {
            switch (section) {
                case Patch.Add add -> add(add);
                case Patch.Delete delete -> delete(delete);
                case Patch.Update update -> update(update);
            }
        } catch (PatchException | EditException e) {
            throw refused(section.path(), String.valueOf(e.getMessage()));
        }
    }

    private void add(Patch.Add add) throws IOException, ToolException {
        State state = state(add.path());
        if (state.now != null) {
            throw refused(add.path(), "It exists already; write *** Update File for it.");
        }
        String text = String.join("\n", add.lines());
        boolean newline = add.finalNewline() && !add.lines().isEmpty();
        state.now =
                TextEncoding.UTF_8
                        .encode(newline ? text + "\n" : text)
                        .orElseThrow(() ->
                                refused(add.path(), "It has half a character (a lone surrogate)."));
        state.mode = add.mode();
        state.lines = state.lines.plus(new LineDiff(add.lines().size(), 0));
    }

    private void delete(Patch.Delete delete)
            throws IOException, ToolException, PatchException, EditException {
        refuseLink(delete.path());
        State state = state(delete.path());
        byte[] content = content(state, delete.path());
        requireFresh(state);
        if (!delete.hunks().isEmpty()) {
            TextFile text = text(content, delete.path());
            FilePatch patch = FilePatch.of(text.text(), delete.hunks());
            if (text.spliced(patch.splices()).length > 0) {
                throw refused(
                        delete.path(), "The patch deletes it, but does not repeat all its lines.");
            }
        }
        state.lines = state.lines.plus(new LineDiff(0, lineCount(content)));
        state.now = null;
    }

    private void update(Patch.Update update)
            throws IOException, ToolException, PatchException, EditException {
        State state = state(update.path());
        byte[] content = content(state, update.path());
        boolean nothing = update.hunks().isEmpty() && update.moveTo().isEmpty();
        if (nothing && update.mode() == Patch.KEEP_MODE) {
            throw refused(update.path(), "The patch changes nothing in it.");
        }
        if (update.mode() != Patch.KEEP_MODE || update.moveTo().isPresent()) {
            requireFresh(state);
        }
        if (!update.hunks().isEmpty()) {
            change(state, content, update);
        }
        if (update.mode() != Patch.KEEP_MODE) {
            state.mode = update.mode();
        }
        if (update.moveTo().isPresent()) {
            move(state, update.path(), update.moveTo().get());
        }
    }

    private void change(State state, byte[] content, Patch.Update update)
            throws ToolException, PatchException, EditException {
        TextFile text = text(content, update.path());
        if (content == state.before && FileWriting.isStale(state.file, content, context)) {
            state.known = context.seen().content(state.file).orElseThrow(() -> stale(state));
            if (!context.seen().wasShown(state.file, content)) {
                state.notes.add(ElsewhereChanged.NOTE.strip());
            }
        }
        if (state.known != null) {
            state.known =
                    ElsewhereChanged.known(
                                    state.known,
                                    text,
                                    context.seen().wasShown(state.file, state.before()),
                                    any -> places(FilePatch.of(any, update.hunks())))
                            .orElseThrow(() -> stale(state));
        }
        FilePatch patch = FilePatch.of(text.text(), update.hunks());
        state.now = text.spliced(patch.splices());
        state.lines = state.lines.plus(new LineDiff(patch.added(), patch.removed()));
        patch.tolerances().forEach(how -> state.notes.add(how + "."));
    }

    private ToolException stale(State state) {
        return FileWriting.stale(state.file, state.before(), context);
    }

    private static ElsewhereChanged.Places places(FilePatch patch) {
        return new ElsewhereChanged.Places(
                patch.splices(), patch.tolerances(), patch.tolerances().isEmpty());
    }

    /** Others' changes must not go or move with a file that the model believes to be another. */
    private void requireFresh(State state) throws ToolException {
        boolean stale =
                state.before != null && FileWriting.isStale(state.file, state.before, context);
        if (stale || state.known != null) {
            throw stale(state);
        }
    }

    private void move(State state, String from, String to) throws IOException, ToolException {
        refuseLink(from);
        State target = state(to);
        if (target == state) {
            return;
        }
        if (target.now != null) {
            throw refused(to, "It exists already; nothing can be moved there.");
        }
        target.now = state.now;
        target.like = state.like;
        target.mode = state.mode;
        target.movedFrom = state.movedFrom == null ? state.file : state.movedFrom;
        target.lines = target.lines.plus(state.lines);
        target.notes.addAll(state.notes);
        state.now = null;
        state.lines = new LineDiff(0, 0);
        state.notes.clear();
        state.mode = Patch.KEEP_MODE;
    }

    /** What goes would be the file that the link leads to, and the link would lead nowhere. */
    private void refuseLink(String path) throws ToolException {
        Path name = context.workspace().resolveName(path);
        if (Files.isSymbolicLink(name)) {
            throw refused(
                    path,
                    "It is a symbolic link to %s. Use delete_file or move_file for the link itself."
                            .formatted(
                                    context.workspace().show(context.workspace().resolve(path))));
        }
    }

    private State state(String path) throws IOException, ToolException {
        Path file = context.workspace().resolve(path);
        State known = files.get(file);
        if (known != null) {
            return known;
        }
        ProtectedFolders.refuse(context.workspace(), file);
        FileKind.refuseSpecial(context.workspace(), file);
        boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        State state = new State(file, there ? FileWriting.content(file, context) : null);
        files.put(file, state);
        return state;
    }

    private byte[] content(State state, String path) throws ToolException, IOException {
        if (state.now == null) {
            if (state.before == null) {
                FileKind.requireFile(context.workspace(), state.file, path); // says what is near
            }
            throw refused(path, "The patch has deleted or moved it before.");
        }
        return state.now;
    }

    private static TextFile text(byte[] content, String path) throws ToolException {
        return TextFile.of(content)
                .orElseThrow(() -> refused(path, "It is binary; text patches do not apply."));
    }

    private static int lineCount(byte[] content) {
        return TextFile.of(content).map(text -> LineDiff.ofNew(text.text()).added()).orElse(0);
    }

    /** Nothing has been written by then, whatever the reason. */
    static ToolException refused(String path, String why) {
        String gap = why.contains("\n") ? "\n" : " "; // not on a line of the file
        String end = why.contains("Nothing was changed.") ? "" : gap + "Nothing was changed.";
        return ToolException.error(path + ": " + why.stripTrailing() + end);
    }

    /** Everything that is to be written or deleted. */
    FileTransaction transaction() throws ToolException {
        for (State state : files.values()) {
            for (State other : files.values()) {
                boolean inside = other != state && other.file.startsWith(state.file);
                if (inside && state.now != null && other.now != null) {
                    throw refused(
                            context.workspace().show(state.file),
                            "It cannot be a file and a folder.");
                }
            }
        }
        FileTransaction all = new FileTransaction(context.workspace().roots());
        for (State state : files.values()) {
            if (state.isChanged() && state.now != null) {
                all.write(state.file, state.now, state.like, state.mode);
            }
        }
        for (State state : files.values()) {
            if (state.isChanged() && state.now == null) {
                all.delete(state.file);
            }
        }
        return all;
    }

    /** What the model knows from now on. */
    void remember() {
        for (State state : files.values()) {
            if (state.isChanged() && state.now == null) {
                context.seen().forget(state.file);
            } else if (state.isChanged() && state.now != null) {
                context.seen().saw(state.file, state.known == null ? state.now : state.known);
            }
        }
    }

    List<FileChange> changes() {
        List<FileChange> changes = new ArrayList<>();
        for (State state : files.values()) {
            if (state.isChanged() && !isMovedAway(state)) {
                changes.add(
                        new FileChange(
                                context.workspace().show(state.file),
                                kind(state),
                                state.lines.added(),
                                state.lines.removed()));
            }
        }
        return changes;
    }

    /** One line for each change, then what had to be ignored. */
    String report() {
        StringBuilder report = new StringBuilder();
        for (State state : files.values()) {
            if (!state.isChanged() || isMovedAway(state)) {
                continue;
            }
            report.append(report.isEmpty() ? "" : "\n").append(verb(state)).append(' ');
            if (state.movedFrom != null) {
                report.append(context.workspace().show(state.movedFrom)).append(" to ");
            }
            report.append(context.workspace().show(state.file)).append(": ");
            report.append(state.lines).append(" lines.");
            state.notes.forEach(note -> report.append(' ').append(note));
        }
        return report.isEmpty()
                ? "The files already are as the patch wants them."
                : report.toString();
    }

    private boolean isMovedAway(State state) {
        return state.now == null
                && files.values().stream()
                        .anyMatch(other -> other.now != null && state.file.equals(other.movedFrom));
    }

    private static FileChange.Kind kind(State state) {
        if (state.now == null) {
            return FileChange.Kind.DELETED;
        }
        if (state.movedFrom != null) {
            return FileChange.Kind.MOVED;
        }
        return state.before == null ? FileChange.Kind.ADDED : FileChange.Kind.MODIFIED;
    }

    private static String verb(State state) {
        return switch (kind(state)) {
            case ADDED -> "Created";
            case MODIFIED -> "Patched";
            case DELETED -> "Deleted";
            case MOVED -> "Moved";
        };
    }
}
