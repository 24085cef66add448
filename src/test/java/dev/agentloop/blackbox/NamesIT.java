package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of servers, as the system of the real process resolves them. */
class NamesIT {
    private static final InetAddress DEAD = InetAddress.ofLiteral("127.0.0.9");

    @Test
    @Tag("A04")
    @DisplayName(
            "a name server that never answers (where namespaces are allowed): exit code 5 in time")
    void silentNameServer() throws Exception {
        assumeTrue(SilentNameServer.isPossible(), "no namespaces on this machine");
        try (var world = World.withoutModel();
                var machine = SilentNameServer.start(world)) { // its start is not the run's time
            Ended ended =
                    world.launch()
                            .under(machine.command())
                            .run(
                                    "--json",
                                    "--timeout=3",
                                    "--base-url=http://slow.test/v1",
                                    "hello");
            assertEquals(5, ended.exitCode(), ended::toString); // and G10 looks at the clock
            assertEquals("timeout", ended.result("stop_reason"));
            assertTrue(ended.took().compareTo(Duration.ofSeconds(3)) > 0, ended::toString);
        }
    }

    @ParameterizedTest(name = "A05: of two addresses the first {0}: the other one gets one request")
    @ValueSource(strings = {"refuses", "never answers"})
    void secondAddress(String how) throws IOException {
        try (var model = ScriptedServer.chat(says("Here I am."));
                var world = World.with(model)) {
            int port = URI.create(model.baseUrl()).getPort();
            List<AutoCloseable> dead = how.equals("refuses") ? List.of() : silence(port);
            Path hosts = world.root().resolve("hosts");
            Files.writeString(hosts, DEAD.getHostAddress() + " two.test\n127.0.0.1 two.test\n");
            Ended ended =
                    world.launch()
                            .jvm("-Djdk.net.hosts.file=" + hosts)
                            .run("--json", "--base-url=http://two.test:" + port + "/v1", "hello");
            assertEquals("Here I am.", ended.result("result"), ended::toString);
            assertEquals(0, ended.result().path("retries").asInt(), ended::toString);
            assertEquals(1, model.requests().size());
            close(dead);
        }
    }

    /** A port whose queue is full: Linux drops what knocks there, as a dead machine would. */
    private static List<AutoCloseable> silence(int port) throws IOException {
        List<AutoCloseable> all = new ArrayList<>();
        all.add(new ServerSocket(port, 1, DEAD));
        while (true) {
            Socket filling = new Socket();
            all.add(filling);
            try {
                filling.connect(new InetSocketAddress(DEAD, port), 200);
            } catch (SocketTimeoutException e) {
                return all;
            }
        }
    }

    private static void close(List<AutoCloseable> all) {
        for (AutoCloseable it : all) {
            try {
                it.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
