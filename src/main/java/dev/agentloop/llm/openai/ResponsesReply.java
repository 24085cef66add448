package dev.agentloop.llm.openai;

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
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads answers of the Responses API; one in a piece is read as the end of a stream. */
final class ResponsesReply implements ReplyReader {
    private final LlmListener listener;
    private final CallIds ids;
    private ReplyBuilder reply;
    private ResponsesItems items;
    private @Nullable Usage usage;
    private @Nullable Usage usageBefore;
    private int answersBefore;
    private String status = "";
    private String why = "";
    private boolean over;

    ResponsesReply(LlmListener listener, CallIds ids) {
        this.listener = listener;
        this.ids = ids;
        reply = new ReplyBuilder(listener, ids);
        items = new ResponsesItems(reply);
    }

    /** In the response that failed, or around an event that is an error itself. */
    @Override
    public JsonValue placeOfError(JsonValue event) {
        if (!event.at("response").at("error").isNull()) {
            return event.at("response");
        }
        boolean bare = event.at("type").text().equals("error") && event.at("error").isNull();
        return bare ? new JsonValue(Map.of("error", event.raw())) : event;
    }

    @Override
    public Progress event(JsonValue event) {
        String type = event.at("type").text();
        if (over && !type.equals("response.created")) {
            return Progress.WHOLE;
        }
        switch (type) {
            case "response.created" -> begin();
            case "response.output_item.added" -> items.added(event);
            case "response.output_item.done" -> items.done(event);
            case "response.completed" -> finish("completed", event.at("response"));
            case "response.incomplete" -> finish("incomplete", event.at("response"));
            case "response.failed" -> finish("failed", event.at("response"));
            case "response.cancelled" -> finish("cancelled", event.at("response"));
            default -> {
                String item = itemOf(type);
                if (!item.isEmpty() && saysSomething(event)) {
                    items.take(item, event);
                }
            }
        }
        return over ? Progress.WHOLE : Progress.MORE; // for the next answer, see begin()
    }

    @Override
    public void done() {
        over = true;
    }

    @Override
    public void document(JsonValue answer) {
        if (!answer.at("output").isArray()) {
            throw LlmException.BrokenReply.onceMore(
                    "gateway changed the response (JSON without output)", null);
        }
        finish("completed", answer);
    }

    @Override
    public LlmResponse end(String requestId, long requestBytes) {
        if (!over) {
            throw new LlmException.BrokenReply(
                    "the stream was cut: it ended before the response was completed", null);
        }
        return reply.build(finishReason(), usage, requestId, requestBytes);
    }

    @Override
    public PartialReply partial() {
        return reply.partial(usage);
    }

    @Override
    public void warning(String message) {
        reply.warning(message);
    }

    /** The kind of item that an event is about; empty for events that tell nothing new. */
    private static String itemOf(String event) {
        return switch (event) {
            case "response.output_text.delta",
                    "response.output_text.done",
                    "response.refusal.delta",
                    "response.refusal.done" ->
                    ResponsesItem.MESSAGE;
            case "response.function_call_arguments.delta",
                    "response.function_call_arguments.done" ->
                    ResponsesItem.CALL;
            case "response.reasoning_summary_text.delta",
                    "response.reasoning_summary_text.done",
                    "response.reasoning_text.delta",
                    "response.reasoning_text.done" ->
                    ResponsesItem.REASONING;
            default -> "";
        };
    }

    /** What is empty must not begin an item. */
    private static boolean saysSomething(JsonValue event) {
        for (String member : new String[] {"delta", "text", "refusal", "arguments"}) {
            if (event.at(member).isObject() || !event.at(member).text().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * A gateway that answers calls by itself passes on one answer after the other. The last one
     * counts, as it does for the provider's own library; text of the others is withdrawn, but all
     * of them cost money.
     */
    private void begin() {
        if (!over) {
            if (!items.isEmpty()) {
                throw new LlmException.BrokenReply("the stream began a second response", null);
            }
            return;
        }
        answersBefore++;
        String notice = "the server sent several answers; the last one counts";
        if (reply.text().isEmpty()) {
            reply.warning(notice);
        } else {
            LlmException replaced = new LlmException.BrokenReply(notice, null);
            listener.retry(answersBefore, Duration.ZERO, replaced, true);
        }
        usageBefore = usage;
        reply = new ReplyBuilder(listener, ids);
        items = new ResponsesItems(reply);
        status = "";
        why = "";
        over = false;
    }

    private void finish(String event, JsonValue response) {
        status = response.at("status").textOr(event);
        why = response.at("incomplete_details").at("reason").text();
        items.list(response.at("output"));
        if (response.at("usage").isObject()) {
            Usage own = usage(response.at("usage"));
            usage = usageBefore == null ? own : usageBefore.plus(own);
        }
        over = true;
        if (status.equals("failed") || status.equals("cancelled")) {
            throw new LlmException.BrokenReply(
                    "the provider ended the answer as " + status + ", without a reason", null);
        }
    }

    private FinishReason finishReason() {
        if (items.hasRefusal()) {
            return FinishReason.REFUSAL;
        }
        if (!status.equals("incomplete")) {
            return reply.natural();
        }
        return switch (why) {
            case "max_output_tokens", "max_tokens", "length", "" -> FinishReason.MAX_TOKENS;
            case "content_filter" -> FinishReason.REFUSAL;
            default -> reply.natural(why);
        };
    }

    private static Usage usage(JsonValue said) {
        JsonValue details = said.at("input_tokens_details");
        long prompt = Tokens.count(said.at("input_tokens"));
        long read = Math.min(Tokens.count(details.at("cached_tokens")), prompt);
        long written = Math.min(Tokens.count(details.at("cache_write_tokens")), prompt - read);
        long output = Tokens.count(said.at("output_tokens"));
        long reasoning = Tokens.count(said.at("output_tokens_details").at("reasoning_tokens"));
        return new Usage(
                prompt - read - written, output, read, written, Math.min(reasoning, output), false);
    }
}
