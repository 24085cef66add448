package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import dev.agentloop.testing.FakeTime;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class CallWatchTest {
    private final FakeTime time = FakeTime.manual();
    private final List<String> stops = new ArrayList<>();
    private final CallWatch watch =
            new CallWatch(time, HttpLimits.DEFAULT, "h:1", e -> stops.add(e.getMessage()));

    private final Call call =
            new OkHttpClient().newCall(new Request.Builder().url("http://h:1/").build());

    private void pass(int seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    @Test
    void everyPhaseHasItsLimit() {
        watch.start();
        pass(9);
        watch.reading();
        pass(119);
        assertEquals(List.of(), stops);
        pass(2);
        assertEquals(List.of("h:1: the stream was silent for 120 s"), stops);
    }

    @Test
    void noConnection() {
        watch.start();
        pass(10);
        assertEquals(List.of("h:1: no connection in 10 s"), stops);
    }

    @Test
    @DisplayName("a loser of the race for a connection does not shorten the wait for the winner")
    void lateLoserOfTheRace() {
        watch.start();
        connects();
        watch.requestBodyEnd(call, 10);
        connects();
        watch.secureConnectStart(call);
        pass(59);
        assertEquals(List.of(), stops);
        pass(1);
        assertEquals(List.of("h:1: no response in 60 s"), stops);
    }

    private void connects() {
        watch.connectStart(call, InetSocketAddress.createUnresolved("h", 1), Proxy.NO_PROXY);
    }

    @Test
    void bytesExtendTheWaitForDataOnlySoFar() {
        watch.start();
        watch.reading();
        for (int i = 0; i < 29; i++) {
            pass(10);
            watch.sawBytes();
        }
        assertEquals(List.of(), stops);
        pass(10);
        assertEquals(List.of("h:1: only keep-alive comments for 300 s"), stops);
    }

    @Test
    void dataExtendsForEver() {
        watch.start();
        watch.reading();
        for (int i = 0; i < 100; i++) {
            pass(100);
            watch.sawData();
        }
        assertEquals(List.of(), stops);
        assertEquals(1, time.alarms());
    }

    @Test
    @Tag("A37")
    @DisplayName("a closed watch sets and rings nothing")
    void closedWatchIsQuiet() {
        watch.start();
        watch.reading();
        watch.close();
        watch.ending(Duration.ofSeconds(1));
        pass(1000);
        assertEquals(List.of(), stops);
        assertEquals(0, time.alarms());
    }

    @Test
    @Tag("A38")
    @DisplayName("after a suspended machine wakes up, the wait begins anew")
    void suspendedMachine() {
        long[] asleep = {0};
        CallWatch sleeper =
                new CallWatch(
                        new Time() {
                            @Override
                            public Instant now() {
                                return time.now();
                            }

                            @Override
                            public long nanos() {
                                return time.nanos() + asleep[0];
                            }

                            @Override
                            public boolean sleep(Duration howLong, Cancellation cancellation) {
                                return time.sleep(howLong, cancellation);
                            }

                            @Override
                            public Cancellation.Registration alarm(Duration d, Runnable action) {
                                return time.alarm(d, action);
                            }
                        },
                        HttpLimits.DEFAULT,
                        "h:1",
                        e -> stops.add(e.getMessage()));
        sleeper.start();
        sleeper.reading();
        asleep[0] = Duration.ofHours(1).toNanos();
        pass(121);
        assertEquals(List.of(), stops);
        pass(120);
        assertEquals(1, stops.size());
    }
}
