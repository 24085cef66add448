package dev.agentloop.durable;

import dev.agentloop.durable.gate.Gate;
import dev.agentloop.durable.gate.WaitRequest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A run in a process of its own, behind a gate that this worker keeps. */
final class AgentChild implements LiveRun {
    // In the folder for temporary files, for this user only: the name of a socket must be short.
    private static final String PREFIX = "agent-task-";
    private static final List<String> FILES = List.of("out", "err", "gate");
    private static final long HEARD_MILLIS = 1_000; // for what is in the pipe when it ends
    private static final int MOST_ERROR_CHARS = 2_000; // of what a person reads of a failure

    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<WaitRequest> wishes = new LinkedBlockingQueue<>();
    private final JournalFollower follower;
    private final Path folder;
    private final ServerSocketChannel server;
    private final Process process;
    private volatile @Nullable SocketChannel channel;

    private AgentChild(
            Path folder, ServerSocketChannel server, Process process, JournalFollower follower) {
        this.folder = folder;
        this.server = server;
        this.process = process;
        this.follower = follower;
    }

    static AgentChild start(
            List<String> command, Map<String, String> environment, JournalFollower follower)
            throws IOException {
        Path folder = Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            return start(folder, server, builder(folder, command, environment), follower);
        } catch (IOException e) {
            server.close();
            remove(folder);
            throw e;
        }
    }

    private static ProcessBuilder builder(
            Path folder, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("AGENT_ARGV_HEX"); // the worker's own words
        builder.environment().putAll(environment);
        builder.environment().put(Gate.SOCKET, folder.resolve("gate").toString());
        builder.redirectInput(new File("/dev/null"));
        builder.redirectOutput(folder.resolve("out").toFile());
        return builder.redirectError(folder.resolve("err").toFile());
    }

    private static AgentChild start(
            Path folder,
            ServerSocketChannel server,
            ProcessBuilder builder,
            JournalFollower follower)
            throws IOException {
        server.bind(UnixDomainSocketAddress.of(folder.resolve("gate")));
        AgentChild child = new AgentChild(folder, server, builder.start(), follower);
        Thread reader = daemon(child::read, "gate");
        daemon(() -> child.ended(reader), "end of run");
        return child;
    }

    /** Removes what killed workers of this user have left. */
    static void sweep() {
        Path folder = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path left : found) {
                String name = String.valueOf(left.getFileName());
                String pid = name.replaceFirst(PREFIX + "(\\d{1,10})-.*", "$1");
                if (!pid.equals(name) && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    remove(left);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // they take little room
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                || !Files.getOwner(folder).equals(Files.getOwner(Path.of("/proc/self")))) {
            return;
        }
        for (String name : FILES) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void read() {
        try (SocketChannel accepted = server.accept();
                BufferedReader in =
                        new BufferedReader(Channels.newReader(accepted, StandardCharsets.UTF_8))) {
            channel = accepted;
            server.close(); // nothing that the run starts can take its place
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                heard(line);
            }
        } catch (IOException e) {
            return; // the process has ended, which is heard of elsewhere
        }
    }

    private void heard(String line) {
        if (line.startsWith("SESSION ")) {
            follower.found(line.substring("SESSION ".length()));
        } else if (line.startsWith(WaitRequest.WORD)) {
            wishes.add(WaitRequest.parse(line.substring(WaitRequest.WORD.length())));
            events.add(Event.WAITS);
        } else {
            events.add(Event.valueOf(line));
        }
    }

    /** Not before all is heard that it has said. */
    private void ended(Thread reader) {
        try {
            process.waitFor();
            server.close();
            reader.join(HEARD_MILLIS);
        } catch (IOException e) {
            // Nobody listens any more either way.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        events.add(Event.ENDED);
    }

    @Override
    public Event next(long millis) {
        try {
            Event event = events.poll(millis, TimeUnit.MILLISECONDS);
            return event == null ? Event.NOTHING : event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Event.NOTHING;
        }
    }

    @Override
    public Optional<SessionPart> collect() {
        return follower.collect();
    }

    @Override
    public void go() {
        answer("k");
    }

    @Override
    public WaitRequest wish() {
        return wishes.remove();
    }

    @Override
    public void answer(String line) {
        SocketChannel gate = channel;
        if (gate != null) {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            try {
                while (bytes.hasRemaining()) {
                    gate.write(bytes);
                }
            } catch (IOException e) {
                return; // it has ended, and that is the next event
            }
        }
    }

    @Override
    public Outcome outcome() {
        String out = text("out").strip();
        String err = text("err").strip();
        int from = Math.max(0, err.length() - MOST_ERROR_CHARS);
        return new Outcome(process.exitValue(), out, out.isEmpty() ? err.substring(from) : "");
    }

    private String text(String name) {
        try {
            return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** The processes that it has started end with it: they are watched over by a third. */
    @Override
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
            remove(folder);
        } catch (IOException e) {
            // A temporary folder stays behind.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
