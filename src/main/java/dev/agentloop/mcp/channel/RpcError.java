package dev.agentloop.mcp.channel;

import dev.agentloop.json.JsonValue;

/** The answer of one side that it cannot do what it was asked. */
public final class RpcError extends Exception {
    public static final int PARSE_ERROR = -32_700;
    public static final int INVALID_REQUEST = -32_600;
    public static final int METHOD_NOT_FOUND = -32_601;
    public static final int INVALID_PARAMS = -32_602;
    public static final int INTERNAL_ERROR = -32_603;

    /** Ours, of the range for servers: too much is under way. */
    public static final int BUSY = -32_000;

    private static final long serialVersionUID = 1L;
    private static final int MAX_TEXT = 2_000; // characters

    private final int code;

    public RpcError(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    static RpcError of(JsonValue error) {
        String text = CleanText.of(error.at("message").text());
        String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        long code = error.at("code").asLong();
        return new RpcError((int) code, shown.isEmpty() ? "error " + code : shown);
    }

    public int code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
