package dev.agentloop.undo;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.FileState.Kind;
import dev.agentloop.session.PreImage;
import dev.agentloop.session.Recovery;
import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Settles calls that were cut off while they changed files: what is whole is a success, what has
 * not begun has not happened, half of it is taken back. What somebody else has changed is left.
 */
public final class FileRecovery implements Recovery {
    private enum Finding {
        BEFORE,
        PLANNED,
        FOREIGN
    }

    @Override
    public Outcome settle(Roots roots, FileEffect effect, Blobs blobs) {
        Path root = roots.main();
        ToolResult result;
        try {
            boolean ofCommand =
                    effect.before().stream()
                            .anyMatch(file -> file.planned().holds(ChangeRecorder.ANYTHING));
            result =
                    ofCommand
                            ? unknown("it is a command")
                            : settle(root, effect.before(), new Restorer(roots, blobs));
        } catch (IOException e) {
            result = unknown(String.valueOf(e.getMessage()));
        }
        return new Outcome(result, ChangeRecorder.states(root, effect.before()));
    }

    private static ToolResult settle(Path root, List<PreImage> files, Restorer restorer)
            throws IOException {
        List<PreImage> changed = new ArrayList<>();
        int contents = 0;
        int untouched = 0;
        for (PreImage file : files) {
            Finding finding = find(root, file);
            if (finding == Finding.FOREIGN) {
                return conflict(root, file);
            }
            if (finding == Finding.PLANNED) {
                changed.add(file);
            }
            boolean folder = file.planned().kind() == Kind.FOLDER;
            contents += folder ? 0 : 1;
            untouched += !folder && finding == Finding.BEFORE ? 1 : 0;
        }
        Leftovers.remove(restorer, files);
        if (changed.size() == files.size()) {
            return applied(files);
        }
        for (PreImage file : changed.reversed()) {
            takeBack(file, restorer);
        }
        return untouched == contents
                ? ToolResult.cancelled(
                        "Not applied: the session was interrupted before this call changed a file.")
                : ToolResult.cancelled(
                        "Not applied: the session was interrupted when this call had made some of"
                                + " its changes. They were taken back: "
                                + names(changed)
                                + ".");
    }

    private static Finding find(Path root, PreImage file) throws IOException {
        PreImage.checkName(file.path());
        PreImage.checkName(file.movedTo());
        FileState now = CurrentFile.at(root.resolve(file.path())).state();
        if (file.isMove()) {
            FileState there = CurrentFile.at(root.resolve(file.movedTo())).state();
            if (now.holds(file.before()) && there.kind() == Kind.ABSENT) {
                return Finding.BEFORE;
            }
            boolean arrived = now.kind() == Kind.ABSENT && there.holds(file.before());
            return arrived ? Finding.PLANNED : Finding.FOREIGN;
        }
        if (now.holds(file.before())) {
            return Finding.BEFORE;
        }
        return now.holds(file.planned()) ? Finding.PLANNED : Finding.FOREIGN;
    }

    private static void takeBack(PreImage file, Restorer restorer) throws IOException {
        if (file.isMove()) {
            restorer.move(file.movedTo(), file.path());
        } else {
            restorer.restore(file.path(), file.before(), file.blob());
        }
    }

    private static ToolResult applied(List<PreImage> files) {
        List<FileChange> changes = new ArrayList<>();
        for (PreImage file : files) {
            if (file.planned().kind() != Kind.FOLDER) {
                String name = file.isMove() ? file.movedTo() : file.path();
                changes.add(new FileChange(name, kind(file), 0, 0));
            }
        }
        return ToolResult.ok(
                        "Done (recovered): the session was interrupted after this call had made all"
                                + " its changes: "
                                + names(files)
                                + ". Hooks may not have run.")
                .withChanges(changes);
    }

    private static FileChange.Kind kind(PreImage file) {
        if (file.isMove()) {
            return FileChange.Kind.MOVED;
        }
        if (file.planned().kind() == Kind.ABSENT) {
            return FileChange.Kind.DELETED;
        }
        return file.before().kind() == Kind.ABSENT
                ? FileChange.Kind.ADDED
                : FileChange.Kind.MODIFIED;
    }

    private static ToolResult conflict(Path root, PreImage file) throws IOException {
        return ToolResult.error(
                ("Interrupted, and %s holds neither what it held before (%s) nor what was planned"
                                + " (%s), but %s: somebody else has changed it. Nothing was"
                                + " repaired. Look at the files before repeating the call.")
                        .formatted(
                                file.path(),
                                describe(file.before()),
                                describe(file.planned()),
                                describe(CurrentFile.at(root.resolve(file.path())).state())));
    }

    private static String describe(FileState state) {
        return switch (state.kind()) {
            case ABSENT -> "nothing";
            case FILE -> "fingerprint " + state.mark();
            case LINK -> "a link to " + state.mark();
            case FOLDER -> "a folder";
            case OTHER -> "something that is no file";
        };
    }

    private static ToolResult unknown(String why) {
        return ToolResult.cancelled(
                "Interrupted; it may have run, wholly or partly, and that could not be found out or"
                        + " repaired ("
                        + why
                        + "). Look at the state before repeating it.");
    }

    private static String names(List<PreImage> files) {
        return String.join(", ", files.stream().map(PreImage::path).distinct().toList());
    }
}
