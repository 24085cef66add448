package dev.agentloop.process;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What a running command reads from its standard input while it runs. */
final class InputPipe implements Closeable {
    private static final long PATIENCE_MILLIS = 2_000; // a command that reads has read by then
    private static final int MOST_WAITING = 256 * 1024; // bytes
    private static int count;

    private final OutputStream stream;
    private final @Nullable Path fifo;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private int waiting; // bytes that were handed over and not taken
    private boolean ended;

    private InputPipe(OutputStream stream, @Nullable Path fifo) {
        this.stream = stream;
        this.fifo = fifo;
    }

    /** The pipe of a process. */
    static InputPipe of(Process process) {
        return new InputPipe(process.getOutputStream(), null);
    }

    /**
     * A pipe with a name, for a command behind a shell that reads something else first. Open for
     * reading, too: whoever opens it to read need not wait for us.
     *
     * @param folder private, and out of the reach of commands
     */
    static InputPipe named(Path folder) throws IOException {
        Path path;
        synchronized (InputPipe.class) {
            path = folder.resolve("input-" + ++count);
        }
        try {
            Path program =
                    Programs.find(Programs.USUAL, "mkfifo", folder)
                            .orElseThrow(() -> new IOException("this machine has no mkfifo"));
            ProcessBuilder builder =
                    new ProcessBuilder(program.toString(), "-m", "600", path.toString());
            builder.environment().clear();
            Process made = builder.start();
            if (!made.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) || made.exitValue() != 0) {
                made.destroyForcibly();
                throw new IOException("mkfifo failed for " + path);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        return new InputPipe(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        file.write(b);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        file.write(bytes, from, length);
                    }

                    @Override
                    public void close() throws IOException {
                        file.close();
                    }
                },
                path);
    }

    /** Where it is in the file system, if it has a name. */
    Optional<Path> path() {
        return Optional.ofNullable(fifo);
    }

    /**
     * Hands bytes to the command; false if they wait for it to read what was handed over before.
     *
     * @throws IOException when it has closed its input, its end was told before, or too much waits
     */
    boolean write(byte[] bytes, Executor threads) throws IOException {
        CompletableFuture<Void> written = new CompletableFuture<>();
        synchronized (this) {
            if (ended) {
                throw new IOException("its input was ended before");
            }
            if (waiting + bytes.length > MOST_WAITING) {
                throw new IOException("it does not read, and too much waits for it already");
            }
            waiting += bytes.length;
            last = last.thenRunAsync(() -> handOver(bytes, written), threads);
        }
        try {
            written.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IOException("it has closed its input", e.getCause());
        }
    }

    private void handOver(byte[] bytes, CompletableFuture<Void> written) {
        try {
            stream.write(bytes);
            stream.flush();
            written.complete(null);
        } catch (IOException e) {
            written.completeExceptionally(e);
        } finally {
            synchronized (this) {
                waiting -= bytes.length;
            }
        }
    }

    /** The command reads that nothing comes any more, after what it was handed before. */
    synchronized void end(Executor threads) {
        if (!ended) {
            ended = true;
            last = last.thenRunAsync(this::closeStream, threads);
        }
    }

    /** The command has ended; what it has not read is lost. */
    @Override
    public synchronized void close() {
        ended = true;
        if (waiting > 0 && fifo != null) {
            freeWriter(fifo);
        }
        if (waiting == 0) { // else a thread is writing, and ends with the other side of the pipe
            closeStream();
        }
    }

    /** We have the named pipe open for reading as well, so that its end frees no writer. */
    private synchronized void freeWriter(Path pipe) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        try (InputStream unread = new FileInputStream(pipe.toFile())) {
            while (waiting > 0 && System.nanoTime() < end) {
                int there = unread.available();
                if (there > 0) {
                    unread.skipNBytes(there);
                } else {
                    wait(1); // the writer needs this lock to say that it is done
                }
            }
        } catch (IOException e) {
            return; // the writer stays until this program ends
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeStream() {
        try {
            stream.close();
            if (fifo != null) {
                Files.deleteIfExists(fifo);
            }
        } catch (IOException e) {
            return; // the command has gone before
        }
    }
}
