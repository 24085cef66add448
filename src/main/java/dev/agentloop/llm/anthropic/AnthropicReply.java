package dev.agentloop.llm.anthropic;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.llm.ReplyBuilder;
import dev.agentloop.llm.Tokens;
import dev.agentloop.llm.provider.ReplyReader;
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads answers of the Messages API; one in a piece is read as the events it could have been. */
final class AnthropicReply implements ReplyReader {
    private final ReplyBuilder reply;
    private final Map<Long, AnthropicBlock> open = new HashMap<>();
    private final List<AnthropicBlock> blocks = new ArrayList<>();
    private boolean started;
    private boolean over;
    private String stop = "";
    private long input;
    private long output;
    private long cacheRead;
    private long cacheWrite;
    private long thinking;
    private Usage summing = Usage.NONE;

    AnthropicReply(LlmListener listener, CallIds ids) {
        reply = new ReplyBuilder(listener, ids);
    }

    @Override
    public Progress event(JsonValue event) {
        switch (event.at("type").text()) {
            case "message_start" -> start(event.at("message"));
            case "content_block_start" ->
                    openBlock(event.at("index").asLong(), event.at("content_block"));
            case "content_block_delta" -> {
                AnthropicBlock block = open.get(event.at("index").asLong());
                if (block != null) {
                    block.delta(event.at("delta"));
                }
            }
            case "content_block_stop" -> closeBlock(event.at("index").asLong());
            case "message_delta" -> {
                stop = event.at("delta").at("stop_reason").textOr(stop);
                takeUsage(event.at("usage"));
            }
            case "message_stop" -> over = true;
            default -> {} // ping, and types to come: the protocol wants them ignored
        }
        return over ? Progress.OVER : stop.isEmpty() ? Progress.MORE : Progress.WHOLE;
    }

    @Override
    public void done() {
        over = true;
    }

    @Override
    public void afterEnd(String data) {
        if (data.contains("\"message_start\"")) {
            throw spliced();
        }
    }

    @Override
    public void document(JsonValue answer) {
        if (!answer.at("content").isArray()) {
            throw LlmException.BrokenReply.onceMore(
                    "gateway changed the response (JSON without content)", null);
        }
        long index = 0;
        for (JsonValue block : answer.at("content").items()) {
            openBlock(index, block);
            closeBlock(index);
            index++;
        }
        stop = answer.at("stop_reason").text();
        takeUsage(answer.at("usage"));
        over = true;
    }

    @Override
    public LlmResponse end(String requestId, long requestBytes) {
        if (!over && stop.isEmpty()) {
            throw new LlmException.BrokenReply(
                    "the stream was cut: it ended without a stop reason", null);
        }
        FinishReason finish = finishReason();
        open.values().forEach(AnthropicBlock::close);
        int whole = blocks.size() - (finish == FinishReason.MAX_TOKENS ? 1 : 0);
        blocks.stream().limit(Math.max(whole, 0)).forEach(AnthropicBlock::complete);
        return reply.build(finish, usage(), requestId, requestBytes);
    }

    private Usage usage() {
        return new Usage(input, output, cacheRead, cacheWrite, thinking, false).plus(summing);
    }

    @Override
    public PartialReply partial() {
        return reply.partial(usage());
    }

    @Override
    public void warning(String message) {
        reply.warning(message);
    }

    private void start(JsonValue message) {
        if (started) {
            throw spliced();
        }
        started = true;
        takeUsage(message.at("usage"));
    }

    /** Two answers in one stream, by a gateway's mistake: which of them is ours, nobody knows. */
    private static LlmException spliced() {
        return new LlmException.BrokenReply("the stream began a second message", null);
    }

    private void openBlock(long index, JsonValue content) {
        closeBlock(index);
        AnthropicBlock block = AnthropicBlock.of(content, reply);
        if (block != null) {
            open.put(index, block);
            blocks.add(block);
        }
    }

    private void closeBlock(long index) {
        AnthropicBlock block = open.remove(index);
        if (block != null) {
            block.close();
        }
    }

    private FinishReason finishReason() {
        return switch (stop) {
            case "tool_use" -> FinishReason.TOOL_USE;
            case "max_tokens", "model_context_window_exceeded" -> FinishReason.MAX_TOKENS;
            case "refusal" -> FinishReason.REFUSAL;
            // of the provider's own tools, and a summary of the history that the provider made
            case "pause_turn", "compaction" ->
                    reply.hasCalls() ? FinishReason.TOOL_USE : FinishReason.PAUSED;
            case "end_turn", "stop_sequence", "" -> reply.natural();
            default -> reply.natural(stop);
        };
    }

    /** Counts are for all so far. */
    private void takeUsage(JsonValue usage) {
        input = Tokens.newer(usage.at("input_tokens"), input);
        output = Tokens.newer(usage.at("output_tokens"), output);
        cacheRead = Tokens.newer(usage.at("cache_read_input_tokens"), cacheRead);
        cacheWrite = Tokens.newer(usage.at("cache_creation_input_tokens"), cacheWrite);
        JsonValue details = usage.at("output_tokens_details");
        thinking = Math.min(Tokens.newer(details.at("thinking_tokens"), thinking), output);
        if (usage.at("iterations").isArray()) {
            summing = summing(usage.at("iterations"));
        }
    }

    /** What the provider's summary has cost is charged, but not part of the other figures. */
    private static Usage summing(JsonValue iterations) {
        Usage sum = Usage.NONE;
        for (JsonValue one : iterations.items()) {
            if (one.at("type").text().equals("compaction")) {
                sum =
                        sum.plus(
                                new Usage(
                                        Tokens.count(one.at("input_tokens")),
                                        Tokens.count(one.at("output_tokens")),
                                        Tokens.count(one.at("cache_read_input_tokens")),
                                        Tokens.count(one.at("cache_creation_input_tokens")),
                                        0,
                                        false));
            }
        }
        return sum;
    }
}
