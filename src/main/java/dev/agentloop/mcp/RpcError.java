package dev.agentloop.mcp;

import dev.agentloop.json.JsonValue;

/** The answer of one side that it cannot do what it was asked. */
final class RpcError extends Exception {
    static final int METHOD_NOT_FOUND = -32_601;
    static final int INVALID_PARAMS = -32_602;
    private static final long serialVersionUID = 1L;
    private static final int MAX_TEXT = 2_000; // characters

    private final int code;

    RpcError(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    static RpcError of(JsonValue error) {
        String text = CleanText.of(error.at("message").text());
        String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        long code = error.at("code").asLong();
        return new RpcError((int) code, shown.isEmpty() ? "error " + code : shown);
    }

    int code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
