package dev.agentloop.blackbox;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine whose only name server takes questions and never answers: a network namespace and a
 * mount namespace of {@code unshare} (util-linux), with a resolv.conf of its own.
 */
final class SilentNameServer implements AutoCloseable {
    private static final int DNS = 53;
    private static final Duration LONGEST_START = Duration.ofMinutes(1);
    private static final List<String> UNSHARE =
            List.of("unshare", "--map-root-user", "--net", "--mount");

    private final Process server;
    private final Path folder;

    private SilentNameServer(Process server, Path folder) {
        this.server = server;
        this.folder = folder;
    }

    /** Plays the server, as a process within the namespaces. */
    public static void main(String[] arguments) throws Exception {
        var loopback = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), DNS);
        Thread parent = new Thread(SilentNameServer::endWithStarter);
        parent.setDaemon(true);
        parent.start();
        try (DatagramSocket socket = new DatagramSocket(loopback)) {
            Files.createFile(Path.of(arguments[0]));
            while (true) {
                socket.receive(new DatagramPacket(new byte[512], 512));
            }
        }
    }

    /** Its end of the pipe closes when whoever started this is killed, too. */
    private static void endWithStarter() {
        try {
            System.in.readAllBytes();
        } catch (IOException e) {
            // nobody is there
        }
        Runtime.getRuntime().halt(0);
    }

    /** Whether this machine lets us have namespaces; many containers do not. */
    static boolean isPossible() throws InterruptedException {
        try {
            List<String> command = new ArrayList<>(UNSHARE);
            command.addAll(List.of("sh", "-c", "ip link set lo up"));
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no unshare at all
        }
    }

    /** Starts the machine; it is there, and its server listens, when this returns. */
    static SilentNameServer start(World world) throws IOException, InterruptedException {
        Path names =
                Files.writeString(world.root().resolve("resolv.conf"), "nameserver 127.0.0.1\n");
        Path log = world.root().resolve("name-server.log");
        Path ready = world.root().resolve("name-server-is-up");
        String script =
                "ip link set lo up && mount --bind '%s' /etc/resolv.conf && exec '%s' -cp '%s' %s '%s'"
                        .formatted(
                                names,
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path"),
                                SilentNameServer.class.getName(),
                                ready);
        List<String> command = new ArrayList<>(UNSHARE);
        command.addAll(List.of("sh", "-c", script));
        Process server =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            long end = System.nanoTime() + LONGEST_START.toNanos();
            while (!Files.exists(ready)) {
                if (!server.isAlive() || System.nanoTime() > end) {
                    throw new IOException("no name server: " + Files.readString(log));
                }
                Thread.sleep(20);
            }
            return new SilentNameServer(server, world.workspace());
        } catch (IOException | InterruptedException e) {
            server.destroyForcibly();
            throw e;
        }
    }

    /** Starts the words that follow on that machine, in the workspace. */
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("nsenter", "--target", "" + server.pid()));
        command.addAll(List.of("--user", "--net", "--mount", "--preserve-credentials"));
        command.addAll(List.of("env", "--chdir=" + folder));
        return command;
    }

    @Override
    public void close() {
        server.destroyForcibly();
    }
}
