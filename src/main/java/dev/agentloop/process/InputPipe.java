package dev.agentloop.process;

import java.io.Closeable;
import java.io.IOException;
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
    private static int count;

    private final OutputStream stream;
    private final @Nullable Path fifo;
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
            Process made = new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start();
            if (made.waitFor() != 0) {
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
     * Hands bytes to the command; false if it has not taken them in time.
     *
     * @throws IOException when it has closed its input, or its end was told before
     */
    boolean write(byte[] bytes, Executor thread) throws IOException {
        if (ended) {
            throw new IOException("its input was ended before");
        }
        CompletableFuture<Void> written = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                stream.write(bytes);
                stream.flush();
                written.complete(null);
            } catch (IOException e) {
                written.completeExceptionally(e);
            }
        });
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

    /** The command reads that nothing comes any more; once more does nothing. */
    @Override
    public void close() {
        ended = true;
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
