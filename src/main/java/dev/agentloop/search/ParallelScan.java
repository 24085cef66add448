package dev.agentloop.search;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Searches files on a few threads and hands on what it finds in the order in which the files came.
 * What is made of a file's matches is made on these threads, too. Small trees are searched by the
 * calling thread alone.
 */
public final class ParallelScan<T> implements AutoCloseable {
    private static final int MAX_THREADS = 4; // each has a file open; disks gain little from more
    private static final int BATCH = 32; // files
    private static final int ALONE = 8; // batches before there are helpers; starting them costs
    private static final int MAX_WAITING = 4; // batches for each thread; bounds what is in memory

    private final Path root;
    private final LineQuery query;
    private final SearchDeadline deadline;
    private final Reader<T> reader;
    private final Sink<T> sink;
    private final List<ByteSearch> searches;
    private final int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    private final Queue<FileScan> idle = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Batch> waiting = new ArrayDeque<>();
    private List<TreeWalk.Entry> next = new ArrayList<>();
    private @Nullable ExecutorService helpers;
    private int batches;
    private volatile boolean full;

    /** Makes something of what was found in a file; several threads call it at once. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(TreeWalk.Entry file, FileMatches found);
    }

    /** Takes that file by file. */
    @FunctionalInterface
    public interface Sink<T> {
        /** Returns whether to go on. */
        boolean take(TreeWalk.Entry file, T found);
    }

    /**
     * @param root below which no link is followed, whatever a path has become since it was found
     */
    public ParallelScan(
            Path root, LineQuery query, SearchDeadline deadline, Reader<T> reader, Sink<T> sink) {
        this.root = root;
        this.query = query;
        this.deadline = deadline;
        this.reader = reader;
        this.sink = sink;
        this.searches = query.searches();
    }

    /** Returns whether there is room for more. */
    public boolean add(TreeWalk.Entry file) {
        next.add(file);
        if (next.size() == BATCH) {
            submit();
        }
        return !full;
    }

    /** Waits for the files that are still being searched. */
    public void finish() {
        if (!next.isEmpty()) {
            submit();
        }
        while (!waiting.isEmpty() && !full) {
            waiting.element().run(); // unless a helper has begun with it
            handOn();
        }
    }

    @Override
    public void close() {
        full = true;
        if (helpers != null) {
            helpers.shutdownNow();
        }
        letGo(); // a helper that still scans does so itself
    }

    private void submit() {
        Batch batch = new Batch(next);
        next = new ArrayList<>();
        waiting.add(batch);
        batches++;
        if (batches <= ALONE || threads == 1) {
            batch.run();
        } else {
            helpers().execute(batch);
        }
        if (waiting.size() > threads * MAX_WAITING) {
            batch.run();
        }
        while (!waiting.isEmpty()
                && !full
                && (waiting.element().isDone() || waiting.size() > 2 * threads * MAX_WAITING)) {
            handOn();
        }
    }

    private void handOn() {
        Batch batch = waiting.remove();
        List<T> found = batch.await();
        for (int i = 0; i < found.size() && !full; i++) {
            full = !sink.take(batch.files.get(i), found.get(i));
        }
    }

    private ExecutorService helpers() {
        if (helpers == null) {
            helpers =
                    Executors.newFixedThreadPool(
                            threads - 1,
                            work -> {
                                Thread thread = new Thread(work, "search");
                                thread.setDaemon(true);
                                return thread;
                            });
        }
        return helpers;
    }

    private List<T> scan(List<TreeWalk.Entry> files) {
        FileScan own = idle.poll();
        FileScan scan = own == null ? new FileScan(root, query, searches, deadline) : own;
        List<T> found = new ArrayList<>(files.size());
        try {
            for (TreeWalk.Entry file : files) {
                if (full) {
                    break;
                }
                FileMatches matches = scan.scan(file.path(), file.attributes().size());
                found.add(reader.read(file, matches));
            }
        } finally {
            idle.add(scan);
            if (full) {
                letGo();
            }
        }
        return found;
    }

    private void letGo() {
        for (FileScan scan = idle.poll(); scan != null; scan = idle.poll()) {
            scan.letGo();
        }
    }

    /** Files that one thread searches in a row; whoever comes first runs it. */
    private final class Batch extends FutureTask<List<T>> {
        private final List<TreeWalk.Entry> files;

        Batch(List<TreeWalk.Entry> files) {
            super(() -> scan(files));
            this.files = files;
        }

        List<T> await() {
            try {
                return deadline.await(this);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
