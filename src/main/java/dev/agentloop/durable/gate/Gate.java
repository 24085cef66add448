package dev.agentloop.durable.gate;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What a run of a worker asks before it goes on. When the worker is gone nobody answers any more,
 * and the run's process ends: an effect that nobody has on record must not happen.
 *
 * <p>Only threads of its own touch the channel: an interrupt would close it.
 */
public final class Gate {
    /** Environment variable: the socket of the worker. */
    public static final String SOCKET = "AGENT_DURABLE_GATE";

    /** Environment variable: the file whose lock means that somebody works on the workspace. */
    public static final String LOCK = "AGENT_DURABLE_LOCK";

    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final SocketChannel channel;
    private final Runnable lost;
    private volatile boolean gone;

    /**
     * @param lost is called when the worker is gone
     */
    Gate(Path socket, Runnable lost) throws IOException {
        this.lost = lost;
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        daemon(this::speak, "gate-out");
        daemon(this::listen, "gate-in");
    }

    private static void daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until nobody else works on the workspace; the lock ends with the process. */
    @SuppressWarnings("resource") // held until the process ends
    static void takeLock(Path file) throws IOException {
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock();
    }

    void tell(String word) {
        said.add(word);
    }

    /** Returns when the worker answers, with its words. */
    synchronized String ask(String word) {
        said.add(word);
        boolean interrupted = false;
        String answer;
        while (true) {
            try {
                answer = heard.take();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return answer;
    }

    private void speak() {
        try {
            while (true) {
                String word = said.take() + "\n";
                ByteBuffer bytes = ByteBuffer.wrap(word.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            lose();
        } catch (InterruptedException e) {
            return; // the process ends
        }
    }

    private void listen() {
        try (BufferedReader in =
                new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                heard.add(line);
            }
        } catch (IOException e) {
            // As good as an end.
        }
        lose();
    }

    private void lose() {
        gone = true; // first: what ends now, such as commands, has not ended by itself
        lost.run();
    }

    /** Does not return when the worker is gone: this process is being ended. */
    void pass() {
        if (gone) {
            ask("GONE");
        }
    }
}
