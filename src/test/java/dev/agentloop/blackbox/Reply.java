package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/**
 * A whole answer of the model, in words that each protocol can say.
 *
 * @param input tokens of the prompt that the server counts
 * @param output tokens of the answer
 */
public record Reply(String text, List<Call> calls, Finish finish, int input, int output)
        implements Script {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Why the answer ends. */
    public enum Finish {
        STOP,
        TOOLS,
        LENGTH,
        REFUSAL
    }

    /** One tool call; the server gives it an id. */
    public record Call(String tool, String arguments) {}

    public static Reply says(String text) {
        return new Reply(text, List.of(), Finish.STOP, 100, 10);
    }

    public static Reply calls(Call... calls) {
        return new Reply("", List.of(calls), Finish.TOOLS, 100, 10);
    }

    /** A reply with the one call. */
    public static Reply calls(String tool, Object... pairs) {
        return calls(call(tool, pairs));
    }

    /** Names and values of the arguments in turn. */
    public static Call call(String tool, Object... pairs) {
        ObjectNode arguments = JSON.createObjectNode();
        for (int i = 0; i < pairs.length; i += 2) {
            arguments.putPOJO((String) pairs[i], pairs[i + 1]);
        }
        return new Call(tool, arguments.toString());
    }

    public Reply saying(String words) {
        return new Reply(words, calls, finish, input, output);
    }

    public Reply ending(Finish why) {
        return new Reply(text, calls, why, input, output);
    }

    public Reply counting(int in, int out) {
        return new Reply(text, calls, finish, in, out);
    }

    /** Counts as many tokens as the request has bytes, and all that the reply may have. */
    public Script atItsLimits() {
        return exchange -> {
            Asked asked = exchange.asked();
            counting(asked.raw().length(), asked.mostOutput()).play(exchange);
        };
    }

    @Override
    public void play(Exchange exchange) throws IOException {
        exchange.reply(this);
    }
}
