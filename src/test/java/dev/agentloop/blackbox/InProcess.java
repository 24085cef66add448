package dev.agentloop.blackbox;

import dev.agentloop.cli.Cli;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs the whole program within this JVM: for everything that needs no process of its own. */
final class InProcess {
    private InProcess() {}

    /** Standard input is a terminal that nobody types at, so that it is not waited for. */
    static Ended run(World world, List<String> words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Streams streams = new Streams(InputStream.nullInputStream(), out, err, true, false, false);
        Invocation invocation =
                new Invocation(
                        streams,
                        Map.copyOf(world.environment()),
                        world.workspace(),
                        world.home(),
                        false);
        long start = System.nanoTime();
        int code = Cli.run(words.toArray(String[]::new), invocation);
        return new Ended(
                words,
                code,
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8),
                Duration.ofNanos(System.nanoTime() - start),
                0,
                null);
    }
}
