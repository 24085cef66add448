package dev.agentloop.sandbox.watch;

import dev.agentloop.sandbox.git.file.RecordText;
import dev.agentloop.storage.PrivateFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What runs that share a repository must know of each other. An empty file that one has made to
 * mount something over it protects the commands of all: when it is removed, the kernel takes away
 * what is mounted there for any of them. So each looks at the tree, says what it needs and removes
 * what nobody needs while no other does.
 */
public final class OtherRuns {
    /** The system's lock is one of the process, and gone when any channel of its file is closed. */
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    private static final long LONGEST_NANOS = 5_000_000_000L; // a look takes milliseconds
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int PARTS = 4; // of a name: workspace, process, its start, number

    /** What the system says where there are none: ENOLCK, ENOTSUP, ENOSYS. */
    private static final Pattern NO_LOCKS =
            Pattern.compile("No locks available|not supported|not implemented");

    private OtherRuns() {}

    /** Something that must not be done by two runs at once. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Works while no other run does. Where no run can leave a record of what it needs there is
     * nothing to be kept apart, and it works without a lock.
     *
     * @param records folder of the records; the lock lies beside it, out of the sight of commands
     * @throws IOException also when another run keeps the lock, because somebody has stopped it
     */
    public static <T> T alone(Path records, Work<T> work) throws IOException {
        if (IN_PROCESS.isHeldByCurrentThread()) {
            return work.run();
        }
        IN_PROCESS.lock();
        try {
            if (!isKept(records)) {
                return work.run();
            }
            try (FileChannel held = open(records)) {
                await(held);
                return work.run();
            }
        } finally {
            IN_PROCESS.unlock();
        }
    }

    /** Whether a run can leave a record at all. */
    private static boolean isKept(Path records) {
        Path folder = Objects.requireNonNull(records.getParent());
        try {
            if (!Files.isDirectory(folder)) {
                PrivateFiles.ensureDirectory(folder);
            }
            return Files.isWritable(Files.isDirectory(records) ? records : folder);
        } catch (IOException e) {
            return false;
        }
    }

    private static FileChannel open(Path records) throws IOException {
        Path file = records.resolveSibling(records.getFileName() + ".lock");
        try {
            return PrivateFiles.openOrCreate(file, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException(
                    "without the lock file "
                            + file
                            + " commands of two runs could uncover each other's control files"
                            + " (remove it if it is not yours): "
                            + e.getMessage(),
                    e);
        }
    }

    private static void await(FileChannel file) throws IOException {
        long begin = System.nanoTime();
        while (!isOurs(file)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("the command was not started, since the run ends");
            }
            if (System.nanoTime() - begin > LONGEST_NANOS) {
                throw new IOException(
                        "another run of the agent was stopped while it started a command: let it go"
                                + " on, or end it, and try again");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean isOurs(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (IOException e) {
            if (NO_LOCKS.matcher(String.valueOf(e.getMessage())).find()) {
                return true; // on this file system no run can have one
            }
            throw e;
        }
    }

    /**
     * What living runs need on the disk, in whatever workspace they are: work trees share a
     * repository.
     *
     * @param isOwn which records do not count
     */
    public static Set<Path> placeholders(Path records, Predicate<Path> isOwn) throws IOException {
        Set<Path> needed = new HashSet<>();
        if (!Files.isDirectory(records)) {
            return needed;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records)) {
            for (Path file : files) {
                String[] parts = String.valueOf(file.getFileName()).split("-");
                boolean counts = parts.length == PARTS && !isOwn.test(file);
                if (counts && ProcessMark.lives(parts[1], parts[2])) {
                    read(file, needed);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return needed;
    }

    /** They stand before all that tells of a command, which may be long. */
    private static void read(Path file, Set<Path> needed) throws IOException {
        try (var in = Files.newInputStream(file);
                var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.startsWith(RunRecord.COMMAND)) {
                if (line.startsWith(RunRecord.PLACEHOLDER)) {
                    needed.add(RecordText.path(line.substring(RunRecord.PLACEHOLDER.length())));
                }
                line = lines.readLine();
            }
        } catch (NoSuchFileException e) {
            return; // that run works without a lock, and has ended just now
        } catch (IllegalArgumentException e) {
            throw new IOException("the record of a run cannot be read: " + file, e);
        }
    }
}
