package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.durable.engine.ObjectState;
import java.util.HashMap;
import java.util.Map;

/** An engine in memory that can take its caller's life before or after any operation. */
final class MemoryObjects implements DurableObjects {
    private final Map<String, Map<String, String>> objects = new HashMap<>();
    private long now = 1_000_000;
    private int operations;
    private int deadly = -1;
    private boolean before;

    /** The end of a worker's process. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Whoever asks for the n-th operation from now on dies: before it is done, or behind it. */
    void killAt(int n, boolean beforeIt) {
        operations = 0;
        deadly = n;
        before = beforeIt;
    }

    void passes(long millis) {
        now += millis;
    }

    @Override
    public synchronized String apply(Operation operation) {
        boolean dies = operations++ == deadly;
        if (dies && before) {
            throw new Death();
        }
        Map<String, String> texts =
                objects.computeIfAbsent(
                        operation.kind() + "/" + operation.key(), key -> new HashMap<>());
        String answer = ObjectLogic.apply(operation, state(texts), now);
        if (dies) {
            throw new Death();
        }
        return answer;
    }

    private static ObjectState state(Map<String, String> texts) {
        return new ObjectState() {
            @Override
            public String get(String name) {
                return texts.getOrDefault(name, "");
            }

            @Override
            public void put(String name, String value) {
                texts.put(name, value);
            }
        };
    }

    @Override
    public String read(Operation operation) {
        return apply(operation);
    }

    @Override
    public void serve() {}

    @Override
    public void close() {}
}
