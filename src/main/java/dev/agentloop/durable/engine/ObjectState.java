package dev.agentloop.durable.engine;

/** The named texts that an object consists of. */
public interface ObjectState {
    /** Empty if there is none of this name. */
    String get(String name);

    void put(String name, String value);
}
