package dev.agentloop.cli.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** What ends with a run: the last one opened is closed first, and each whatever another throws. */
final class Openings implements AutoCloseable {
    private final Deque<Runnable> ends = new ArrayDeque<>();

    <T> T add(T opened, Consumer<T> end) {
        ends.push(() -> end.accept(opened));
        return opened;
    }

    @Override
    public void close() {
        if (!ends.isEmpty()) {
            Runnable last = ends.pop();
            try {
                last.run();
            } finally {
                close();
            }
        }
    }
}
