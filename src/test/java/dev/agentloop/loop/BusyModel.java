package dev.agentloop.loop;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.ToolSpec;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A model that calls a tool in so many steps, then says "done"; it counts a token for 3 letters.
 */
final class BusyModel implements ScriptedLlm.Turn {
    static final int LETTERS = 3;

    private final int steps;
    private final IntFunction<String> words;
    private final ScriptedLlm.Turn summaries;
    private int step;

    /**
     * @param words what it says in each step
     * @param summaries what it answers when asked for a summary
     */
    BusyModel(int steps, String words, ScriptedLlm.Turn summaries) {
        this(steps, _ -> words, summaries);
    }

    /**
     * @param words what it says in which step, from 1
     */
    BusyModel(int steps, IntFunction<String> words, ScriptedLlm.Turn summaries) {
        this.steps = steps;
        this.words = words;
        this.summaries = summaries;
    }

    static boolean isForSummary(LlmRequest request) {
        return request.messages().getLast() instanceof Message.User(String text, var _)
                && text.contains("Do not call tools in this reply.");
    }

    @Override
    public LlmResponse apply(LlmRequest request, Cancellation cancellation) {
        if (isForSummary(request)) {
            return counted(summaries.apply(request, cancellation), request);
        }
        if (step == steps) {
            return counted(
                    ScriptedLlm.reply(FinishReason.END_TURN, new Block.Text("done")), request);
        }
        step++;
        ToolCall call = new ToolCall("c" + step, "look", "{\"path\":\"%06d\"}".formatted(step));
        String said = words.apply(step);
        Block[] blocks =
                said.isEmpty()
                        ? new Block[] {new Block.Call(call)}
                        : new Block[] {new Block.Text(said), new Block.Call(call)};
        return counted(ScriptedLlm.reply(FinishReason.TOOL_USE, blocks), request);
    }

    private static LlmResponse counted(LlmResponse reply, LlmRequest request) {
        Usage usage = new Usage(letters(request) / LETTERS, 10, 0, 0, 0, false);
        return new LlmResponse(reply.message(), reply.finish(), usage, Set.of(), "");
    }

    /** All that a provider would read, without its JSON. */
    static long letters(LlmRequest request) {
        long letters = 0;
        for (ToolSpec tool : request.tools()) {
            letters += tool.name().length() + tool.description().length();
            letters += tool.parameters().length();
        }
        for (Message message : request.messages()) {
            letters +=
                    switch (message) {
                        case Message.System(String text) -> text.length();
                        case Message.User(String text, var _) -> text.length();
                        case Message.Tool(var _, ToolResult result) -> result.text().length();
                        case Message.Assistant said -> letters(said);
                    };
        }
        return letters;
    }

    private static long letters(Message.Assistant said) {
        long letters = said.text().length();
        for (ToolCall call : said.toolCalls()) {
            letters += call.name().length() + call.arguments().length();
        }
        return letters;
    }
}
