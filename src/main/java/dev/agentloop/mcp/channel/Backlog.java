package dev.agentloop.mcp.channel;

/** How much waits to be sent to a server, which may never take it. */
public final class Backlog {
    private static final int MOST_MESSAGES = 1_000;
    private static final int MOST_BYTES = 16 << 20; // more than one message and its answer

    private int messages;
    private long bytes;

    /** Counts a message that waits to be read. */
    public synchronized void add(int size) throws McpException {
        if (messages >= MOST_MESSAGES || bytes + size > MOST_BYTES) {
            throw new McpException("it does not read what it is sent");
        }
        messages++;
        bytes += size;
    }

    /** It was sent, or never will be. */
    public synchronized void remove(int size) {
        messages--;
        bytes -= size;
    }
}
