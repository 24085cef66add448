package dev.agentloop.undo;

import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.TextFile;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.FileState.Kind;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PreImage;
import dev.agentloop.storage.Roots;
import dev.agentloop.undo.EffectReversal.Virtual;
import dev.agentloop.undo.UndoPlan.Action;
import dev.agentloop.undo.UndoPlan.Change;
import dev.agentloop.undo.UndoPlan.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Puts files back as they were before some calls of a session. */
public final class Undo {
    private static final int MAX_LINES = 40; // of a diff: a person should see, not read it all

    private final Restorer restorer;

    /**
     * @param roots of the session's workspace
     */
    public Undo(Roots roots, Blobs blobs) {
        restorer = new Restorer(roots, blobs);
    }

    /**
     * Looks only.
     *
     * @param effects in their order
     * @param force whether what somebody else has changed is put back all the same
     */
    public UndoPlan plan(List<FileEffect> effects, boolean force) {
        EffectReversal back =
                new EffectReversal(name -> CurrentFile.at(restorer.checked(name)).state(), force);
        back.takeBack(effects);
        List<Change> changes = new ArrayList<>();
        Map<String, String> refused = back.refused();
        back.names()
                .forEach((name, wanted) -> {
                    if (!refused.containsKey(name)) {
                        try {
                            change(name, wanted, back).ifPresent(changes::add);
                        } catch (IOException e) {
                            refused.put(name, String.valueOf(e.getMessage()));
                        }
                    }
                });
        changes.sort(ORDER);
        List<Refusal> refusals = new ArrayList<>();
        refused.forEach((name, reason) -> {
            if (!reason.isEmpty()) {
                refusals.add(new Refusal(name, reason, diff(name, effects)));
            }
        });
        return new UndoPlan(changes, refusals);
    }

    /** Names are freed before they are filled; folders go last, the inner ones first. */
    private static final Comparator<Change> ORDER =
            Comparator.<Change, Action>comparing(
                            Change::action, Comparator.comparingInt(Undo::rank))
                    .thenComparing(Change::path, Comparator.reverseOrder());

    private static int rank(Action action) {
        return switch (action) {
            case MOVE_BACK -> 0;
            case DELETE -> 1;
            case RESTORE, RECREATE -> 2;
            case REMOVE_FOLDER -> 3;
        };
    }

    /**
     * Does what was planned, each name for itself.
     *
     * @param failed takes what could not be done
     * @return for the journal
     */
    public JournalRecord.Undone apply(
            UndoPlan plan, List<FileEffect> effects, List<Refusal> failed) {
        List<String> restored = new ArrayList<>();
        for (Change change : plan.changes()) {
            try {
                if (change.action() == Action.MOVE_BACK) {
                    restorer.move(change.from(), change.path());
                } else {
                    restorer.restore(change.path(), change.wanted(), change.blob());
                }
                restored.add(change.path());
            } catch (IOException e) {
                failed.add(new Refusal(change.path(), String.valueOf(e.getMessage()), ""));
            }
        }
        Set<String> left = new TreeSet<>();
        plan.refusals().forEach(refusal -> left.add(refusal.path()));
        failed.forEach(refusal -> left.add(refusal.path()));
        List<Long> wholly =
                effects.stream().filter(it -> isFreeOf(left, it)).map(FileEffect::seq).toList();
        return new JournalRecord.Undone(wholly, restored, List.copyOf(left));
    }

    private static boolean isFreeOf(Set<String> left, FileEffect effect) {
        return effect.before().stream()
                .noneMatch(file -> left.contains(file.path()) || left.contains(file.movedTo()));
    }

    private Optional<Change> change(String name, Virtual wanted, EffectReversal back)
            throws IOException {
        CurrentFile now = CurrentFile.at(restorer.checked(name));
        if (wanted.state().equals(now.state())) {
            return Optional.empty();
        }
        if (wanted.state().kind() == Kind.ABSENT) {
            return now.state().kind() == Kind.FOLDER
                    ? Optional.of(change(Action.REMOVE_FOLDER, name, wanted, now))
                    : isMovedAway(name, back)
                            ? Optional.empty()
                            : Optional.of(change(Action.DELETE, name, wanted, now));
        }
        if (!wanted.at().isEmpty()) {
            if (now.state().kind() != Kind.ABSENT && isMovedAway(name, back)) {
                throw new IOException(
                        "two names were exchanged, which is not undone; move them by hand");
            }
            return Optional.of(
                    new Change(Action.MOVE_BACK, name, wanted.at(), wanted.state(), "", 0, 0));
        }
        Action action = now.state().kind() == Kind.ABSENT ? Action.RECREATE : Action.RESTORE;
        return Optional.of(change(action, name, wanted, now));
    }

    /** The content of the name goes to another one, so there is nothing to delete. */
    private static boolean isMovedAway(String name, EffectReversal back) {
        return back.names().entrySet().stream()
                .anyMatch(other ->
                        !other.getKey().equals(name)
                                && other.getValue().at().equals(name)
                                && !back.refused().containsKey(other.getKey()));
    }

    private Change change(Action action, String name, Virtual wanted, CurrentFile now)
            throws IOException {
        String before = now.isFile() ? text(now.content()) : "";
        String after =
                wanted.state().kind() == Kind.FILE
                        ? text(restorer.content(wanted.state(), wanted.blob()))
                        : "";
        LineDiff lines = LineDiff.between(before, after);
        return new Change(
                action, name, "", wanted.state(), wanted.blob(), lines.added(), lines.removed());
    }

    /**
     * How the name has changed since it held what it would get back. Empty for folders.
     *
     * @param patch whether {@code git apply} is to take it; else a person reads it, who sees no
     *     carriage returns
     * @param hide takes secrets out of a whole text: in a part of it one may not be seen as such
     * @throws IOException if a content was not kept or cannot be read
     */
    public String changeSince(Change change, boolean patch, UnaryOperator<String> hide)
            throws IOException {
        String path = change.path();
        if (change.action() == Action.MOVE_BACK) {
            String now = change.from();
            return "diff --git a/%s b/%s\nrename from %s\nrename to %s\n"
                    .formatted(path, now, path, now);
        }
        return diff(path, kept(change), held(path), hide, patch);
    }

    /** The way back: how the name would change; empty as well for what is only moved. */
    public String changeBy(Change change, UnaryOperator<String> hide) throws IOException {
        return change.action() == Action.MOVE_BACK
                ? ""
                : diff(change.path(), held(change.path()), kept(change), hide, false);
    }

    private static String diff(
            String path,
            Optional<byte[]> from,
            Optional<byte[]> to,
            UnaryOperator<String> hide,
            boolean patch) {
        byte[] before = from.orElse(new byte[0]);
        byte[] after = to.orElse(new byte[0]);
        if (!isText(before) || !isText(after)) {
            return "Binary files a/%s and b/%s differ\n".formatted(path, path);
        }
        UnifiedDiff.Side old =
                new UnifiedDiff.Side(
                        from.isPresent() ? "a/" + path : "/dev/null", hide.apply(text(before)));
        UnifiedDiff.Side now =
                new UnifiedDiff.Side(
                        to.isPresent() ? "b/" + path : "/dev/null", hide.apply(text(after)));
        if (!patch) {
            return UnifiedDiff.between(old, now, Integer.MAX_VALUE);
        }
        String mode =
                from.isPresent() == to.isPresent()
                        ? ""
                        : (from.isPresent() ? "deleted" : "new") + " file mode 100644\n";
        String hunks = UnifiedDiff.patch(old, now);
        return hunks.isEmpty() && mode.isEmpty()
                ? ""
                : "diff --git a/%s b/%s\n".formatted(path, path) + mode + hunks;
    }

    /** What a file would get back; empty if it would go. */
    private Optional<byte[]> kept(Change change) throws IOException {
        return change.wanted().kind() == Kind.FILE
                ? Optional.of(restorer.content(change.wanted(), change.blob()))
                : Optional.empty();
    }

    /** What a file holds now; empty if there is none. */
    private Optional<byte[]> held(String path) throws IOException {
        return Optional.ofNullable(CurrentFile.at(restorer.checked(path)).content());
    }

    private static boolean isText(byte[] content) {
        return content.length == 0 || !text(content).isEmpty();
    }

    /** The text of a file in whatever encoding; empty if it is none. */
    public static String text(byte @Nullable [] content) {
        return content == null ? "" : TextFile.of(content).map(TextFile::text).orElse("");
    }

    /** From what the name holds to what it held before the first of the effects. */
    private String diff(String name, List<FileEffect> effects) {
        for (FileEffect effect : effects) {
            for (PreImage file : effect.before()) {
                if (file.path().equals(name) && file.before().kind() == Kind.FILE) {
                    return diff(name, file.before(), file.blob());
                }
            }
        }
        return "";
    }

    private String diff(String name, FileState wanted, String blob) {
        try {
            CurrentFile now = CurrentFile.at(restorer.checked(name));
            return now.content() == null
                    ? ""
                    : UnifiedDiff.between(
                            new UnifiedDiff.Side(name + " (now)", text(now.content())),
                            new UnifiedDiff.Side(
                                    name + " (after an undo)",
                                    text(restorer.content(wanted, blob))),
                            MAX_LINES);
        } catch (IOException e) {
            return "";
        }
    }
}
