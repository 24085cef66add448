package dev.agentloop.config.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A small file that the user names. Whoever opens a pipe waits for its other end, so the only ones
 * that are read are those that the shell hands over with the other end open: {@code <(jq …)}.
 */
public final class GivenFile {
    private static final long PATIENCE = 60; // seconds for what writes into the pipe

    private GivenFile() {}

    /**
     * Its content, one byte more than {@code most} at most.
     *
     * @throws IOException if it cannot be read, or is a pipe that nobody may ever write to
     */
    public static byte[] read(Path file, int most) throws IOException {
        if (Files.isRegularFile(file) || Files.notExists(file)) {
            return content(file, most);
        }
        if (!isHandedOver(file)) {
            throw new IOException("it is not a regular file");
        }
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("given file")
                .start(() -> {
                    try {
                        read.complete(content(file, most));
                    } catch (IOException e) {
                        read.completeExceptionally(e);
                    }
                });
        try {
            return read.orTimeout(PATIENCE, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failed
                    ? failed
                    : new IOException("its end did not come within a minute", e);
        }
    }

    /**
     * Decodes what was read as UTF-8.
     *
     * @throws MalformedInputException if it is not UTF-8
     */
    public static String text(byte[] content) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    }

    private static boolean isHandedOver(Path file) {
        return Stream.of("/dev/fd", "/dev/stdin", "/proc/self/fd").anyMatch(file::startsWith);
    }

    private static byte[] content(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most + 1);
        }
    }
}
