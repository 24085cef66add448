package dev.agentloop.llm.http;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.LlmException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import okhttp3.Headers;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/** An answer whose headers are there and whose body is read, with a bound, by the caller. */
public final class HttpAnswer implements AutoCloseable {
    private final Response response;
    private final BufferedSource body;
    private final PendingCall call;
    private final CallWatch watch;
    private final Cancellation.Registration link;
    private final long maxBytes;
    private long bytesRead;
    private boolean atEnd;

    HttpAnswer(
            Response response,
            PendingCall call,
            CallWatch watch,
            Cancellation.Registration link,
            long maxBytes) {
        this.response = response;
        this.body = response.body().source();
        this.call = call;
        this.watch = watch;
        this.link = link;
        this.maxBytes = maxBytes;
    }

    public int status() {
        return response.code();
    }

    public Headers headers() {
        return response.headers();
    }

    /** The type of the body in lower case without parameters; may be empty. */
    public String contentType() {
        String type = response.header("Content-Type", "");
        int end = type == null ? -1 : type.indexOf(';');
        return (type == null ? "" : end < 0 ? type : type.substring(0, end))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /** Reads what is there, at least one byte; -1 at the end. */
    public int read(byte[] into) throws IOException {
        int count = body.read(into, 0, into.length);
        atEnd = count < 0;
        if (count > 0) {
            watch.sawBytes();
            bytesRead += count;
            if (bytesRead > maxBytes) {
                throw new SseReader.TooLarge("the answer is larger than " + maxBytes + " bytes");
            }
        }
        return count;
    }

    /** First bytes of the body without taking them; fewer at its end. */
    public byte[] peek(int count) throws IOException {
        body.request(count);
        return body.peek().readByteArray(Math.min(count, body.getBuffer().size()));
    }

    /** The body, at most {@code max} bytes of it. */
    public byte[] readAll(int max) throws IOException {
        byte[] all = new byte[8192];
        byte[] chunk = new byte[8192];
        int size = 0;
        int count;
        while (size < max && (count = read(chunk)) >= 0) {
            int taken = Math.min(count, max - size);
            if (size + taken > all.length) {
                all = Arrays.copyOf(all, Math.max(2 * all.length, size + taken));
            }
            System.arraycopy(chunk, 0, all, size, taken);
            size += taken;
            watch.sawData();
        }
        return Arrays.copyOf(all, size);
    }

    /** An event with data was read. */
    public void sawData() {
        watch.sawData();
    }

    /** Nothing of value follows; what still comes is waited for only so long. */
    public void ending(Duration longest) {
        watch.ending(longest);
    }

    /** Why the call was stopped, if it was: then a failure to read is only the consequence. */
    @Nullable
    public LlmException stopped() {
        return call.stopped();
    }

    @Override
    public void close() {
        watch.close();
        link.close();
        if (!atEnd) {
            call.cancel(); // else close() would read on for 100 ms to save the connection
        }
        response.close();
    }
}
