package dev.agentloop.blackbox;

/** Servers that do not answer as they should. */
public final class Faults {
    private Faults() {}

    public static Script status(int code) {
        return status(code, "Content-Type: application/json", error("scripted " + code));
    }

    public static Script status(int code, String headers, String body) {
        return exchange -> exchange.status(code, headers, body);
    }

    static String error(String message) {
        return "{\"error\":{\"type\":\"scripted\",\"message\":\"" + message + "\"}}";
    }

    /** Takes the request and never answers. */
    public static Script silence() {
        return Exchange::stall;
    }

    /** Streams a text without its end and falls silent. */
    public static Script stallAfter(String text) {
        return exchange -> {
            exchange.replyWithoutEnd(Reply.says(text));
            exchange.stall();
        };
    }

    /** Streams without the end and resets the connection. */
    public static Script resetAfter(Reply reply) {
        return exchange -> {
            exchange.replyWithoutEnd(reply);
            exchange.reset();
        };
    }

    /** Streams without the end and without the last chunk of the transfer, then closes. */
    public static Script cutAfter(Reply reply) {
        return exchange -> {
            exchange.replyWithoutEnd(reply);
            exchange.cut();
        };
    }

    /** Streams without the end, but closes the transfer properly. */
    public static Script endlessAfter(Reply reply) {
        return exchange -> {
            exchange.replyWithoutEnd(reply);
            exchange.closeStream();
        };
    }
}
