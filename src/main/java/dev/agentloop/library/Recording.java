package dev.agentloop.library;

import dev.agentloop.replay.RecordingTape;
import dev.agentloop.replay.Tape;
import dev.agentloop.replay.cassette.CassetteException;
import dev.agentloop.replay.cassette.CassetteHeader;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.CassetteWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** A cassette that is being recorded; closing it makes it whole. Of one conversation. */
public final class Recording implements AutoCloseable {
    private final RecordingTape tape = new RecordingTape(Instant::now);
    private final CassetteWriter writer;
    private final long began = System.nanoTime();
    private boolean closed;

    Recording(Path file, CassetteHeader header, UnaryOperator<String> mask)
            throws CassetteException {
        CassetteWriter.checkPlace(file);
        this.writer = CassetteWriter.create(file, header, text -> tape.mask(mask.apply(text)));
        tape.begin(writer);
    }

    /** What the loop is built with. */
    public Tape tape() {
        return tape;
    }

    /**
     * Ends the cassette, with the end of its last run; one without a run is not whole.
     *
     * @throws IllegalStateException if it could not be written as a whole
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        tape.lastResult()
                .ifPresent(result ->
                        tape.write(
                                new CassetteLine.Ended(
                                        result.status().wireName(),
                                        result.stopReason().wireName(),
                                        LibraryRun.exitCode(result),
                                        result.steps(),
                                        took)));
        writer.close();
        if (!writer.failure().isEmpty()) {
            throw new IllegalStateException("the cassette is not whole: " + writer.failure());
        }
    }
}
