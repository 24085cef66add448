package dev.agentloop.undo;

import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileState;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PreImage;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Puts on record what files hold before a call changes them, and what they hold afterwards. */
public final class ChangeRecorder {
    private static final int MAX_LINES = 400; // of each side of a file's diff

    /** What a command leaves, nobody knows before. */
    static final FileState ANYTHING = new FileState(FileState.Kind.OTHER, "", 0);

    private static final ExecutorService WRITERS =
            Executors.newCachedThreadPool(ChangeRecorder::daemon);

    private final Journal journal;
    private final Workspace workspace;
    private final Map<String, List<PreImage>> open = new ConcurrentHashMap<>();
    private final Map<String, PreImage> firsts = Collections.synchronizedMap(new LinkedHashMap<>());

    public ChangeRecorder(Journal journal, Workspace workspace) {
        this.journal = journal;
        this.workspace = workspace;
    }

    /**
     * All that is needed to take the changes back is on the disk when this returns, with every
     * earlier record; or the journal says that it is not durable.
     *
     * @param touched everything that the call is about to change, in its order
     */
    public void before(String callId, List<Touch> touched) throws ToolException {
        before(callId, touched, () -> {});
    }

    private void before(String callId, List<Touch> touched, Runnable written) throws ToolException {
        Optional<Blobs> blobs = journal.blobs();
        if (blobs.isEmpty()) {
            return; // nothing is kept, by the person's wish
        }
        List<PreImage> files = new ArrayList<>();
        for (Touch touch : touched) {
            files.add(preImage(touch, blobs.get()));
        }
        CompletableFuture<Void> forced =
                CompletableFuture.runAsync(() -> force(files, blobs.get()), WRITERS);
        journal.append(List.of(new JournalRecord.Touched(callId, files)), written);
        open.put(callId, files);
        files.forEach(file -> firsts.putIfAbsent(file.path(), file));
        try {
            forced.join(); // a record without its contents is no harm: nothing has changed yet
        } catch (CompletionException e) {
            throw notKept("the files", String.valueOf(e.getCause()));
        }
    }

    /**
     * As {@link #before}, while the caller goes on; the refusal if there is one. When it returns a
     * killed process would leave the record, so that somebody clears up after what comes now.
     */
    public CompletableFuture<Optional<ToolException>> begin(String callId, List<Touch> touched) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        CompletableFuture<Optional<ToolException>> begun =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                before(callId, touched, () -> written.complete(null));
                                return Optional.empty();
                            } catch (ToolException e) {
                                return Optional.of(e);
                            } finally {
                                written.complete(null);
                            }
                        },
                        WRITERS);
        written.join();
        return begun;
    }

    /** Files at risk may be a thousand, and waiting for the disk would hold their command up. */
    private static void force(List<PreImage> files, Blobs blobs) {
        List<String> names = new ArrayList<>();
        for (PreImage file : files) {
            if (!file.blob().isEmpty() && !file.planned().holds(ANYTHING)) {
                names.add(file.blob());
            }
        }
        try {
            blobs.force(names);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the names hold now, as a record; none if the call never came to its changes. */
    public List<JournalRecord> after(String callId) {
        List<PreImage> files = open.remove(callId);
        return files == null || files.isEmpty()
                ? List.of()
                : List.of(new JournalRecord.Left(callId, states(workspace.root(), files)));
    }

    /**
     * What has become of the files that were put on record, as a unified diff; empty if nothing is
     * different, or nothing is kept.
     */
    public String diff() {
        StringBuilder diff = new StringBuilder();
        List<PreImage> files;
        synchronized (firsts) {
            files = List.copyOf(firsts.values());
        }
        for (PreImage file : files) {
            diff.append(diff(file));
        }
        return diff.toString();
    }

    private String diff(PreImage file) {
        if (file.isMove()) {
            return "moved " + file.path() + " to " + file.movedTo() + "\n";
        }
        try {
            byte[] before =
                    file.blob().isEmpty() ? null : journal.blobs().orElseThrow().read(file.blob());
            byte[] now = CurrentFile.at(workspace.root().resolve(file.path())).content();
            String text =
                    UnifiedDiff.between(
                            side("a/", file.path(), before),
                            side("b/", file.path(), now),
                            MAX_LINES);
            return text.isEmpty() && !Arrays.equals(before, now)
                    ? "changed " + file.path() + ", which is no text\n"
                    : text;
        } catch (IOException e) {
            return "changed " + file.path() + ", which cannot be shown: " + e.getMessage() + "\n";
        }
    }

    private static UnifiedDiff.Side side(String prefix, String path, byte @Nullable [] content) {
        return new UnifiedDiff.Side(
                content == null ? "/dev/null" : prefix + path, Undo.text(content));
    }

    /** The states of all names that the call touched; {@code OTHER} for what cannot be read. */
    static Map<String, FileState> states(Path root, List<PreImage> files) {
        Map<String, FileState> states = new LinkedHashMap<>();
        for (PreImage file : files) {
            states.put(file.path(), state(root.resolve(file.path())));
            if (file.isMove()) {
                states.put(file.movedTo(), state(root.resolve(file.movedTo())));
            }
        }
        return states;
    }

    private static FileState state(Path path) {
        try {
            return CurrentFile.at(path).state();
        } catch (IOException e) {
            return ANYTHING;
        }
    }

    private PreImage preImage(Touch touch, Blobs blobs) throws ToolException {
        // Not a switch over patterns: its first use costs milliseconds before the first edit.
        if (touch instanceof Touch.Content(Path path, byte[] planned)) {
            FileState plan = planned == null ? FileState.ABSENT : planned(planned);
            return content(path, plan, blobs);
        }
        if (touch instanceof Touch.AtRisk(Path path)) {
            return content(path, ANYTHING, blobs);
        }
        if (touch instanceof Touch.Moved(Path from, Path to)) {
            return new PreImage(name(from), state(from), FileState.ABSENT, "", name(to));
        }
        Path folder = ((Touch.Folder) touch).path();
        return new PreImage(name(folder), FileState.ABSENT, FileState.FOLDER, "", "");
    }

    private static FileState planned(byte[] content) {
        return new FileState(FileState.Kind.FILE, SeenFiles.fingerprint(content), 0);
    }

    private PreImage content(Path path, FileState planned, Blobs blobs) throws ToolException {
        if (!workspace.root().resolve(name(path)).equals(path)) {
            return new PreImage(
                    name(path), ANYTHING, planned, "", ""); // it would name another file
        }
        CurrentFile held = look(path);
        try {
            byte[] content = held.content();
            String blob = content == null ? "" : blobs.keep(held.state().mark(), content);
            return new PreImage(name(path), held.state(), planned, blob, "");
        } catch (IOException e) {
            throw notKept(workspace.show(path), String.valueOf(e.getMessage()));
        }
    }

    /** What nobody may look at is trouble of the call, not of the session. */
    private CurrentFile look(Path path) throws ToolException {
        try {
            return CurrentFile.at(path);
        } catch (IOException e) {
            throw ToolException.error(e, workspace);
        }
    }

    private static ToolException notKept(String what, String why) {
        return ToolException.denied(
                ("Not allowed: what %s held could not be kept for undo (%s), so nothing was"
                                + " changed. Reading still works.")
                        .formatted(what, why));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "changes");
        thread.setDaemon(true);
        return thread;
    }

    private String name(Path path) {
        return workspace.show(path);
    }
}
