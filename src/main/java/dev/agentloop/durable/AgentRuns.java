package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.gate.Gate;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Runs as processes of this program: what {@code agent run} does, with its policy, its sandbox and
 * its limits. A journal that another worker began is put where sessions are, and resumed there.
 */
public final class AgentRuns implements WorkerRuns {
    private static final String FOLDER = "\\d{4}/\\d{2}/[0-9A-Z]{26}";
    private static final String BLOB = "[A-Za-z0-9][A-Za-z0-9._-]{0,200}";

    private final Place place;

    /**
     * Where and how runs are started.
     *
     * @param program words that start this program, up to where {@code run} stands
     * @param words the worker's own words for each run: its policy
     * @param roots real paths; a task's workspace must be one of them or below
     * @param state folder of all that is kept, the parent of {@code sessions}
     */
    public record Place(List<String> program, List<String> words, List<Path> roots, Path state) {
        public Place {
            program = List.copyOf(program);
            words = List.copyOf(words);
            roots = List.copyOf(roots);
        }
    }

    public AgentRuns(Place place) {
        this.place = place;
    }

    @Override
    public LiveRun start(DurableTask task, List<SessionPart> pieces, String usd)
            throws IOException, DurableException {
        Path workspace = admitted(task);
        TaskOptions.check(task.options());
        Path lock = lockOf(workspace);
        String folder = pieces.isEmpty() ? "" : pieces.getFirst().folder();
        long held = folder.isEmpty() ? 0 : restore(folder, pieces, lock);
        List<String> command = new ArrayList<>(place.program());
        command.add(folder.isEmpty() ? "run" : "resume");
        command.add("--json");
        command.add("--quiet");
        command.add("--workspace=" + workspace);
        command.addAll(place.words());
        command.addAll(task.options());
        if (!usd.isEmpty()) {
            command.add("--budget=" + usd);
        }
        command.add("--");
        command.add(folder.isEmpty() ? task.prompt() : folder.substring(folder.length() - 26));
        Map<String, String> gate = Map.of(Gate.LOCK, lock.toString());
        return AgentChild.start(
                command,
                gate,
                new JournalFollower(place.state().resolve("sessions"), folder, held));
    }

    private Path admitted(DurableTask task) throws DurableException {
        Path workspace;
        try {
            workspace = Path.of(task.workspace()).toRealPath();
        } catch (IOException | IllegalArgumentException e) {
            throw new DurableException(
                    "The workspace " + task.workspace() + " is not there for this worker.");
        }
        if (place.roots().stream().noneMatch(workspace::startsWith)) {
            throw new DurableException(
                    "The workspace "
                            + task.workspace()
                            + " is outside of what this worker may work on. Start workers with"
                            + " --root DIR for it.");
        }
        return workspace;
    }

    private Path lockOf(Path workspace) throws IOException {
        Path locks = place.state().resolve("durable").resolve("locks");
        PrivateFiles.ensureDirectory(locks);
        CRC32C sum = new CRC32C();
        sum.update(workspace.toString().getBytes(StandardCharsets.UTF_8));
        String name = String.valueOf(workspace.getFileName()).replaceAll("[^A-Za-z0-9]", "_");
        return locks.resolve(name + "-" + Long.toHexString(sum.getValue()));
    }

    /**
     * Puts the journal where it is found. What is on this machine already may go further than what
     * the engine was told, and is then the better witness.
     *
     * @return how many bytes of it the engine has
     */
    private long restore(String folder, List<SessionPart> pieces, Path lock)
            throws IOException, DurableException {
        if (!folder.matches(FOLDER)) {
            throw new DurableException("The stored task names a strange session: " + folder);
        }
        Path dir = place.state().resolve("sessions").resolve(folder);
        StringBuilder lines = new StringBuilder();
        pieces.forEach(piece -> lines.append(piece.lines()));
        byte[] known = lines.toString().getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = PrivateFiles.openOrCreate(lock, StandardOpenOption.WRITE);
                FileLock held = lockOf(channel)) { // a run that was left behind has ended
            if (held == null) {
                throw new DurableException.Busy("another run works in the workspace");
            }
            PrivateFiles.ensureDirectory(dir);
            Path journal = dir.resolve("journal.jsonl");
            if (!Files.exists(journal)) {
                replace(journal, known);
            } else if (!beginsWith(Files.readAllBytes(journal), known)) {
                putAside(journal, known);
                replace(journal, known);
            }
            for (SessionPart piece : pieces) {
                keep(dir.resolve("blobs"), piece.blobs());
            }
        }
        return known.length;
    }

    /**
     * A journal that went another way, because its worker was taken for dead, stays beside it.
     *
     * @throws DurableException if it is of another session: a task may not take the place of that
     */
    private static void putAside(Path journal, byte[] known) throws IOException, DurableException {
        byte[] here = Files.readAllBytes(journal);
        int line = 0;
        while (line < here.length && here[line] != '\n') {
            line++;
        }
        if (!beginsWith(known, Arrays.copyOf(here, line))) {
            throw new DurableException(
                    "The session of this task is on this machine already and is not the task's: "
                            + journal
                            + ". Nothing was changed.");
        }
        Path aside = journal.resolveSibling("journal.left-behind.jsonl");
        Files.move(journal, aside, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Null if another run has it, of this process or of another. */
    private static @Nullable FileLock lockOf(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static boolean beginsWith(byte[] all, byte[] begin) {
        return all.length >= begin.length
                && Arrays.equals(all, 0, begin.length, begin, 0, begin.length);
    }

    private static void keep(Path blobs, Map<String, byte[]> contents)
            throws IOException, DurableException {
        for (Map.Entry<String, byte[]> blob : contents.entrySet()) {
            if (!blob.getKey().matches(BLOB)) {
                throw new DurableException("The stored task has a strange blob: " + blob.getKey());
            }
            PrivateFiles.ensureDirectory(blobs);
            Path file = blobs.resolve(blob.getKey());
            if (!Files.exists(file)) {
                replace(file, blob.getValue());
            }
        }
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Path next = file.resolveSibling("." + file.getFileName() + ".restored");
        Files.deleteIfExists(next);
        try (FileChannel out = PrivateFiles.createFile(next, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
