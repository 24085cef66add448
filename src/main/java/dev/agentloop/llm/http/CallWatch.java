package dev.agentloop.llm.http;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import dev.agentloop.llm.LlmException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.time.Duration;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * Watches over one call: knows its phase and ends it when the phase lasts too long. Uses one alarm
 * that looks at the time stamps when it rings, so a stream of many events sets no alarms.
 */
final class CallWatch extends EventListener implements AutoCloseable {
    private enum Phase {
        RESOLVING,
        CONNECTING,
        SECURING,
        WAITING,
        READING,
        ENDING
    }

    /** An alarm later than this means that the machine slept: everybody gets a fresh start. */
    private static final long LATE = Duration.ofSeconds(5).toNanos();

    private final Time time;
    private final HttpLimits limits;
    private final String peer;
    private final Consumer<LlmException> stop;
    private Phase phase = Phase.CONNECTING;
    private long started;
    private long since;
    private long tail;
    private volatile long lastByte;
    private volatile long lastData;
    private long ringsAt;
    private volatile boolean sent;
    private boolean over;
    private Cancellation.@Nullable Registration alarm;

    /**
     * @param peer host and port for messages
     * @param stop ends the call for the reason given
     */
    CallWatch(Time time, HttpLimits limits, String peer, Consumer<LlmException> stop) {
        this.time = time;
        this.limits = limits;
        this.peer = peer;
        this.stop = stop;
    }

    void start() {
        started = time.nanos();
        enter(Phase.CONNECTING);
    }

    /** The answer's headers are there. */
    void reading() {
        enter(Phase.READING);
    }

    /** Whether the whole request is on its way. */
    boolean isSent() {
        return sent;
    }

    /** Bytes came, perhaps only a comment. */
    void sawBytes() {
        lastByte = time.nanos();
    }

    /** An event with data came. */
    void sawData() {
        long now = time.nanos();
        lastByte = now;
        lastData = now;
    }

    /** The answer is whole; what may still follow gets {@code longest}. */
    synchronized void ending(Duration longest) {
        tail = longest.toNanos();
        enter(Phase.ENDING);
    }

    @Override
    public synchronized void close() {
        over = true;
        if (alarm != null) {
            alarm.close();
            alarm = null;
        }
    }

    @Override
    public void dnsStart(Call call, String domainName) {
        enter(Phase.RESOLVING);
    }

    @Override
    public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
        enter(Phase.CONNECTING);
    }

    @Override
    public void secureConnectStart(Call call) {
        enter(Phase.SECURING);
    }

    @Override
    public void connectionAcquired(Call call, Connection connection) {
        enter(Phase.WAITING);
    }

    @Override
    public void requestHeadersEnd(Call call, Request request) {
        enter(Phase.WAITING);
    }

    @Override
    public void requestBodyEnd(Call call, long byteCount) {
        sent = true;
        enter(Phase.WAITING);
    }

    @Override
    public void requestFailed(Call call, IOException failure) {
        enter(Phase.WAITING);
    }

    private synchronized void enter(Phase next) {
        // threads that lose the race for a connection report their steps after the winner's
        if (over || phase.compareTo(next) > 0 && phase.compareTo(Phase.WAITING) >= 0) {
            return;
        }
        phase = next;
        restart(time.nanos());
        arm(dueAt());
    }

    private void restart(long now) {
        since = now;
        lastByte = now;
        lastData = now;
    }

    private long dueAt() {
        return switch (phase) {
            case RESOLVING, CONNECTING, SECURING -> started + limits.connect().toNanos();
            case WAITING -> since + limits.headers().toNanos();
            case READING -> {
                long idle = lastByte + limits.idle().toNanos();
                long noData = lastData + limits.noData().toNanos();
                yield noData - idle < 0 ? noData : idle;
            }
            case ENDING -> since + tail;
        };
    }

    private void arm(long due) {
        if (alarm != null && ringsAt - due <= 0) {
            return; // it rings early enough and will look again
        }
        if (alarm != null) {
            alarm.close();
        }
        ringsAt = due;
        long delay = Math.max(0, due - time.nanos());
        alarm = time.alarm(Duration.ofNanos(delay), this::ring);
    }

    private void ring() {
        LlmException tooLong = look();
        if (tooLong != null) {
            stop.accept(tooLong);
        }
    }

    private synchronized @Nullable LlmException look() {
        alarm = null;
        if (over) {
            return null;
        }
        long now = time.nanos();
        if (now - ringsAt > LATE) {
            started = now;
            restart(now);
        }
        long due = dueAt();
        if (now - due < 0) {
            arm(due);
            return null;
        }
        return tooLong(now);
    }

    private LlmException tooLong(long now) {
        return switch (phase) {
            case RESOLVING ->
                    unavailable("cannot resolve " + peer + ": no answer in ", limits.connect());
            case CONNECTING -> unavailable(peer + ": no connection in ", limits.connect());
            case SECURING ->
                    unavailable(
                            peer + " is not a TLS server, or does not answer: no handshake in ",
                            limits.connect());
            case WAITING -> unavailable(peer + ": no response in ", limits.headers());
            case READING ->
                    now - lastByte < limits.idle().toNanos()
                            ? broken("only keep-alive comments for ", limits.noData())
                            : broken("the stream was silent for ", limits.idle());
            case ENDING -> broken("the stream did not end in ", Duration.ofNanos(tail));
        };
    }

    private static LlmException unavailable(String what, Duration limit) {
        return new LlmException.Unavailable(what + seconds(limit), null, null);
    }

    private LlmException broken(String what, Duration limit) {
        return new LlmException.BrokenReply(peer + ": " + what + seconds(limit), null);
    }

    private static String seconds(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }
}
