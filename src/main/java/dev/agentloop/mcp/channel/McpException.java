package dev.agentloop.mcp.channel;

/** Trouble with a server; the message says what failed, for people and models. */
public final class McpException extends Exception {
    private static final long serialVersionUID = 1L;

    public McpException(String message) {
        super(message, null, false, false);
    }

    /** What failed, in one line for people. */
    public String problem() {
        return String.valueOf(getMessage());
    }
}
