package dev.agentloop.cli.run;

import java.util.ArrayDeque;
import java.util.Deque;

/** What ends with a run: the last one opened is closed first, and each whatever another throws. */
final class Openings implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T one) {
        open.push(one);
        return one;
    }

    @Override
    public void close() throws Exception {
        if (!open.isEmpty()) {
            AutoCloseable last = open.pop();
            try {
                last.close();
            } finally {
                close();
            }
        }
    }
}
