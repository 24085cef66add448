package dev.agentloop.replay.cassette;

import java.util.List;
import java.util.Optional;

/**
 * A recorded run.
 *
 * @param lines in their order; the first stands on line 2 of the file
 */
public record Cassette(String name, CassetteHeader header, List<CassetteLine> lines) {
    public Cassette {
        lines = List.copyOf(lines);
    }

    /** How the run ended; empty for a cassette whose run never did. */
    public Optional<CassetteLine.Ended> end() {
        return !lines.isEmpty() && lines.getLast() instanceof CassetteLine.Ended end
                ? Optional.of(end)
                : Optional.empty();
    }

    /** Number in the file of one of {@link #lines}. */
    public static int number(int index) {
        return index + 2;
    }
}
