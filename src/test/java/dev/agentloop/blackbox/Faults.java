package dev.agentloop.blackbox;

/** Servers that do not answer as they should. */
public final class Faults {
    private static final String TOO_LONG = "prompt is too long: 9 tokens > 8 maximum";

    private Faults() {}

    public static Script status(int code) {
        return status(code, "Content-Type: application/json", error("scripted " + code));
    }

    public static Script status(int code, String headers, String body) {
        return exchange -> exchange.status(code, headers, body);
    }

    /** Refuses the history as longer than the model's window, in words that providers use. */
    public static Script tooLong() {
        return Script.shortening(status(400, "Content-Type: application/json", error(TOO_LONG)));
    }

    /** Streams without the end, and then, in the words of Anthropic, that it is too long. */
    public static Script tooLongAfter(Reply reply) {
        return Script.shortening(exchange -> {
            exchange.replyWithoutEnd(reply);
            exchange.raw(
                    "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":"
                            + "\"invalid_request_error\",\"message\":\""
                            + TOO_LONG
                            + "\"}}\n\n");
            exchange.closeStream();
        });
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

    /** Half of a reply that is no stream, and then resets the connection. */
    public static Script halfBody(Reply reply) {
        return exchange -> {
            exchange.halfBody(reply);
            exchange.reset();
        };
    }

    /** Says that it answers with a stream, and then resets the connection. */
    public static Script resetAfterHeaders() {
        return exchange -> {
            exchange.openStream();
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

    /** Streams, falls silent until told to go on, and ends as it should. */
    public static Script pausing(Reply reply, Runnable untilGoOn) {
        return exchange -> {
            exchange.replyWithoutEnd(reply);
            untilGoOn.run();
            exchange.charge(reply);
            exchange.end();
        };
    }

    /** Streams the reply, whole but for one event in it that is no JSON. */
    public static Script malformedIn(Reply reply) {
        return exchange -> {
            exchange.replyWithoutEnd(reply);
            exchange.raw("data: {\"choices\":[{\"delta\":\n\n");
            exchange.end();
        };
    }

    /** Streams without the end, and then that the provider is overloaded. */
    public static Script overloadedAfter(Reply reply) {
        return exchange -> {
            exchange.replyWithoutEnd(reply);
            exchange.overloaded("scripted overload");
        };
    }

    /** One event that does not end before the client hangs up. */
    public static Script endlessEvent() {
        String block = "x".repeat(1 << 20);
        return exchange -> {
            exchange.openStream();
            exchange.raw("data: ");
            for (int mb = 0; mb < 400; mb++) {
                exchange.raw(block);
            }
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
