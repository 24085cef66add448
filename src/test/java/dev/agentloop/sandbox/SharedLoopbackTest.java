package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one command of a run serves, the next one can fetch; another run's cannot. */
@Timeout(120)
class SharedLoopbackTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");
    private static final Cancellation NEVER = new Cancellation();

    @TempDir(factory = OutsideTmp.class)
    Path folder;

    private Path workspace;
    private int port;
    private final List<ProcessRunner> runners = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        workspace = Files.createDirectory(folder.toRealPath().resolve("w"));
        Files.writeString(workspace.resolve("a.txt"), "served");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    @AfterEach
    void end() {
        runners.forEach(ProcessRunner::killAll);
    }

    private ProcessRunner runner(Tier tier) {
        Boundaries boundaries =
                new Boundaries(
                        workspace,
                        folder.resolve("home"),
                        List.of(),
                        List.of(),
                        System.getenv(),
                        false);
        if (tier == Tier.BWRAP) {
            assumeTrue(Files.isExecutable(BWRAP), "no bubblewrap on this machine");
        } else {
            assumeTrue(LandlockSandbox.trouble().isEmpty(), "no Landlock here");
        }
        Sandbox sandbox =
                tier == Tier.BWRAP
                        ? new BwrapSandbox(BWRAP, boundaries)
                        : new LandlockSandbox(boundaries);
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of(), () -> sandbox);
        runners.add(runner);
        return runner;
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"BWRAP", "LANDLOCK"})
    @DisplayName("a server in the background answers the next command, and not another run's")
    void aServerAnswersTheNextCommand(Tier tier) throws IOException {
        ProcessRunner runner = runner(tier);
        serve(runner, "127.0.0.1");

        assertEquals("served\n", fetch(runner, "127.0.0.1").stdout().text());
        assertEquals("served\n", fetch(runner, "localhost").stdout().text());
        CommandOutcome refused = fetch(runner(tier), "127.0.0.1");
        assertTrue(refused.stderr().text().contains("refused"), refused::toString);
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"BWRAP", "LANDLOCK"})
    @DisplayName("a server on all addresses is one on the loopback, not one for the neighbours")
    void aServerOnAllAddresses(Tier tier) throws IOException {
        ProcessRunner runner = runner(tier);
        serve(runner, "0.0.0.0");

        assertEquals("served\n", fetch(runner, "127.0.0.1").stdout().text());
        String sockets = Files.readString(Path.of("/proc/net/tcp"));
        String everywhere = "00000000:%04X".formatted(port);
        assertFalse(sockets.contains(everywhere), sockets);
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"BWRAP", "LANDLOCK"})
    @DisplayName("a server that the user runs is out of reach")
    void theUsersOwnServer(Tier tier) throws IOException {
        try (ServerSocket own = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = own.getLocalPort();
            CommandOutcome refused = fetch(runner(tier), "127.0.0.1");
            assertTrue(refused.stderr().text().contains("refused"), refused::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // the user's own server on another address of the loopback, at a port of ours
                "b=s.socket(); b.bind(('127.0.0.1', P)); b.listen(); s.create_connection(A)",
                // one that listens on what was ours a moment ago
                "b=s.socket(); b.bind(('127.0.0.2', P)); b.listen(); s.create_connection(A)",
                // an address of IPv6 for a socket of IPv4, whose first bytes are 0.0.0.0
                "import ctypes, struct; b=s.socket(s.AF_INET6); b.bind(('::1', P)); b.listen();"
                        + " x=s.socket(); a=struct.pack('<H', 10) + struct.pack('>H', P)"
                        + " + bytes(4) + bytes(15) + b'\\x01' + bytes(4);"
                        + " r=ctypes.CDLL(None).connect(x.fileno(), a, 28); assert r == 0",
                "s.socket().connect(('192.0.2.1', 80))",
                "s.socket().sendto(b'x', 0x20000000, A)",
                "s.socket().sendmsg([b'x'], [], 0x20000000, A)",
                "s.socket(s.AF_INET, s.SOCK_DGRAM)",
                "s.socket(s.AF_INET, s.SOCK_STREAM, 262)",
                "s.socket(s.AF_INET6, s.SOCK_DGRAM)",
                "s.socket(s.AF_UNIX)",
                "a, b = s.socketpair(); a.bind('/tmp/x')",
                "s.socketpair(s.AF_UNIX, s.SOCK_RAW)", // the kernel makes datagram sockets of it
            })
    @DisplayName("no socket leads elsewhere under Landlock, whatever it is asked")
    void noWayOut(String attack) throws IOException {
        try (ServerSocket own = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"));
                ServerSocket same =
                        new ServerSocket(
                                own.getLocalPort(), 1, InetAddress.getByName("127.0.0.1"))) {
            String program =
                    "import socket as s; P=%d; A=('127.0.0.2', P); %s; print('through')"
                            .formatted(own.getLocalPort(), attack);
            CommandOutcome outcome = run(runner(Tier.LANDLOCK), "python3 -c \"" + program + "\"");
            assertFalse(outcome.stdout().text().contains("through"), outcome::toString);
            assertTrue(outcome.exitCode() != 0, outcome::toString);
            for (ServerSocket server : List.of(own, same)) {
                server.setSoTimeout(1);
                assertThrows(SocketTimeoutException.class, server::accept, attack);
            }
        }
    }

    @Test
    @DisplayName("a port that another program shares with a command is not reached")
    void aSharedPort() throws Exception {
        Process own =
                new ProcessBuilder(
                                "python3",
                                "-c",
                                "import socket as s, sys; b=s.socket();"
                                        + " b.setsockopt(s.SOL_SOCKET, s.SO_REUSEPORT, 1);"
                                        + " b.bind(('127.0.0.1', %d)); b.listen();".formatted(port)
                                        + " print('up', flush=True); sys.stdin.read()")
                        .start();
        try (BufferedReader up = own.inputReader()) {
            assertEquals("up", up.readLine());
            Files.writeString(
                    workspace.resolve("shares.py"),
                    """
                    import socket as s
                    A = ('127.0.0.1', %d)
                    b = s.socket()
                    b.setsockopt(s.SOL_SOCKET, s.SO_REUSEPORT, 1)
                    b.bind(A)
                    b.listen()
                    for _ in range(20):
                        try:
                            s.create_connection(A)
                            print('through')
                        except OSError as e:
                            print(e)
                    """
                            .formatted(port));
            CommandOutcome told = run(runner(Tier.LANDLOCK), "python3 shares.py");
            assertFalse(told.stdout().text().contains("through"), told::toString);
            assertTrue(told.stdout().text().contains("refused"), told::toString);
        } finally {
            own.destroyForcibly();
        }
    }

    @Test
    @DisplayName("a port that a command had is not reached when another program has it")
    void aPortThatWasOurs() throws IOException {
        ProcessRunner runner = runner(Tier.LANDLOCK);
        CommandOutcome listened =
                run(
                        runner,
                        "python3 -c \"import socket as s; b=s.socket();"
                                + " b.bind(('127.0.0.1', %d)); b.listen()\"".formatted(port));
        assertEquals(0, listened.exitCode(), listened::toString);
        try (ServerSocket own = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            CommandOutcome refused = fetch(runner, "127.0.0.1");
            assertTrue(refused.stderr().text().contains("refused"), own + " " + refused);
        }
    }

    @Test
    @DisplayName("a port that the kernel gave and took back is not reached by the socket's new one")
    void aPortThatWasTakenBack() throws IOException {
        Files.writeString(
                workspace.resolve("taken.py"),
                """
                import socket as s, sys
                b = s.socket()
                b.listen()
                first = b.getsockname()[1]
                b.shutdown(s.SHUT_RDWR)
                b.listen()
                print(first, b.getsockname()[1], flush=True)
                sys.stdin.readline()
                try:
                    s.create_connection(('127.0.0.1', first))
                    print('through')
                except OSError as e:
                    print(e)
                """);
        ProcessRunner runner = runner(Tier.LANDLOCK);
        CommandRequest request =
                CommandRequest.shell("python3 taken.py", workspace, Duration.ofMinutes(1))
                        .sharingProcesses();
        BackgroundCommands.Report begun =
                runner.background().start(request.listening(), Optional.empty()).orElseThrow();
        String id = begun.id();
        String early = begun.stdout().text(); // a quick machine has printed them by now
        String ports = early.contains("\n") ? early : await(runner, id, "\n").stdout().text();
        int first = Integer.parseInt(ports.split(" ")[0]);
        assumeTrue(first != Integer.parseInt(ports.split(" ")[1].strip()), "the same one again");
        try (ServerSocket own = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            runner.background().tell(id, "go\n".getBytes(StandardCharsets.UTF_8), true);
            String told = await(runner, id, "\n").stdout().text();
            assertTrue(told.contains("refused"), own + " " + told);
        }
    }

    private static BackgroundCommands.Report await(ProcessRunner runner, String id, String word) {
        return runner.background()
                .await(
                        id,
                        text -> text.strip().length() > 0 && text.contains(word),
                        Duration.ofSeconds(20),
                        NEVER)
                .orElseThrow();
    }

    @Test
    @DisplayName("IPv6, no bind before listen, and a thread that connects work under Landlock, too")
    void otherWaysToServe() throws IOException {
        Files.writeString(
                workspace.resolve("ways.py"),
                """
                import socket as s, threading
                def echo(server, address):
                    server.listen()
                    done = []
                    def client():
                        with s.create_connection(address(server.getsockname())) as c:
                            c.sendall(b'hi')
                            done.append(c.recv(2))
                    thread = threading.Thread(target=client)
                    thread.start()
                    one, _ = server.accept()
                    one.sendall(one.recv(2))
                    thread.join()
                    return done
                print(echo(s.socket(), lambda a: a))
                dual = s.socket(s.AF_INET6); dual.bind(('::', 0))
                print(echo(dual, lambda a: ('127.0.0.1', a[1])))
                six = s.socket(s.AF_INET6); six.setsockopt(41, 26, 1); six.bind(('::', 0))
                print(echo(six, lambda a: ('::1', a[1])))
                """);
        CommandOutcome outcome = run(runner(Tier.LANDLOCK), "python3 ways.py");
        assertEquals("[b'hi']\n[b'hi']\n[b'hi']\n", outcome.stdout().text(), outcome::toString);
    }

    @Test
    @DisplayName("with its run the network ends, and no process stays")
    void nothingStays() throws IOException {
        Set<ProcessHandle> others = processes();
        ProcessRunner runner = runner(Tier.BWRAP);
        serve(runner, "127.0.0.1");
        assertTrue(processes().size() >= others.size() + 2, "a server and what keeps its network");

        runner.killAll();
        Set<ProcessHandle> left = processes();
        left.removeAll(others);
        assertEquals(Set.of(), left);
    }

    private static Set<ProcessHandle> processes() {
        return ProcessHandle.current().descendants().collect(Collectors.toSet());
    }

    private void serve(ProcessRunner runner, String address) throws IOException {
        String server =
                "exec python3 -u -m http.server --bind %s %d --directory ."
                        .formatted(address, port);
        Optional<BackgroundCommands.Report> started =
                runner.background()
                        .start(
                                CommandRequest.shell(server, workspace, Duration.ofMinutes(1))
                                        .sharingProcesses()
                                        .listening(),
                                Optional.empty());
        BackgroundCommands.Report report =
                runner.background()
                        .await(
                                started.orElseThrow().id(),
                                text -> text.contains("Serving"),
                                Duration.ofSeconds(20),
                                NEVER)
                        .orElseThrow();
        assertTrue(report.end().isEmpty(), report::toString);
    }

    private CommandOutcome fetch(ProcessRunner runner, String host) throws IOException {
        String address = "http://%s:%d/a.txt".formatted(host, port);
        return run(
                runner,
                "python3 -c \"import urllib.request as u; print(u.urlopen('%s', timeout=5).read().decode())\""
                        .formatted(address));
    }

    private CommandOutcome run(ProcessRunner runner, String command) throws IOException {
        return runner.run(
                CommandRequest.shell(command, workspace, Duration.ofSeconds(30)).sharingProcesses(),
                NEVER);
    }
}
