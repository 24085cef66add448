package dev.agentloop.durable.engine;

/**
 * Objects with durable state, one operation at a time on each.
 *
 * <p><b>Contract.</b> {@link #apply} returns when the state is stored by the engine. An engine that
 * is away for a while (a restart) is waited for; then the operation may have been done twice, and
 * {@link ObjectLogic} is made so that twice is as good as once. Safe from any thread.
 */
public interface DurableObjects extends AutoCloseable {
    /** Does an operation of {@link ObjectLogic} and stores what it changes. */
    String apply(Operation operation) throws DurableException;

    /** Does an operation that changes nothing; cheaper, and nothing is stored. */
    String read(Operation operation) throws DurableException;

    /** From now on this process carries out operations for the engine, if the engine needs that. */
    void serve() throws DurableException;

    @Override
    void close();

    /**
     * What is to be done.
     *
     * @param kind of the object, see {@link ObjectLogic}
     * @param key of the object
     * @param name of the operation
     * @param input JSON
     */
    record Operation(String kind, String key, String name, String input) {}
}
