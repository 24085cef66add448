package dev.agentloop.blackbox;

import java.io.IOException;
import java.util.function.IntFunction;

/**
 * A model that works for so many steps and is done then; asked for a summary it gives one. It
 * counts the tokens of each request by its bytes.
 */
public final class BusyScript implements Script {
    private final int steps;
    private final IntFunction<Reply> work;
    private final String summary;
    private int bytesPerToken = 4;
    private int step;

    /**
     * @param work what it does in a step, counted from 0
     */
    public BusyScript(int steps, IntFunction<Reply> work, String summary) {
        this.steps = steps;
        this.work = work;
        this.summary = summary;
    }

    public BusyScript bytesPerToken(int bytes) {
        bytesPerToken = bytes;
        return this;
    }

    /** Whether it asks for a summary of what was said so far. */
    public static boolean isForSummary(Asked asked) {
        return asked.lastText().contains("Do not call tools in this reply.");
    }

    @Override
    public void play(Exchange exchange) throws IOException {
        Reply reply =
                isForSummary(exchange.asked())
                        ? Reply.says(summary)
                        : step < steps ? work.apply(step++) : Reply.says("done");
        exchange.reply(reply.counting(exchange.asked().raw().length() / bytesPerToken, 10));
    }
}
