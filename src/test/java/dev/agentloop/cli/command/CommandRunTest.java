package dev.agentloop.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

class CommandRunTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir Path folder;

    @Test
    void aBugInWhatWouldTellOfAMistakeIsAnInternalErrorAndNoStackTrace() {
        assertEquals(1, run(new BrokenRefusal()));
        assertEquals(
                "agent: internal error: java.lang.IllegalStateException: no words for it\n",
                err.toString(StandardCharsets.UTF_8));
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    private int run(Command command) {
        Streams streams = new Streams(InputStream.nullInputStream(), out, err, true, false, false);
        return CommandRun.run(
                command, new String[0], new Invocation(streams, Map.of(), folder, folder, false));
    }

    private static final class BrokenRefusal implements Command {
        @Override
        public CommandSpec spec() {
            return Specs.command("broken", "Fails twice.");
        }

        @Override
        public int run(ParseResult arguments, Invocation invocation) throws UsageException {
            throw new UsageException("a mistake");
        }

        @Override
        public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation) {
            throw new IllegalStateException("no words for it");
        }
    }
}
