package dev.agentloop.llm.decorator;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Makes real calls of those that a model wrote into its text. The listener hears nothing of a text
 * that may be a call until the reply is whole.
 *
 * <p>A reply with real calls is left alone, for then the server knows the model's form; so is one
 * that was cut, and one that may not call at all.
 */
public final class TextCallsLlm implements LlmAdapter {
    private final LlmAdapter llm;
    private final CallIds ids = new CallIds();

    public TextCallsLlm(LlmAdapter llm) {
        this.llm = llm;
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        if (request.tools().isEmpty() || !request.mayCallTools()) {
            return llm.complete(request, listener, cancellation);
        }
        request.messages().forEach(this::keepIds);
        HeldText held = new HeldText(listener);
        LlmResponse reply = withCalls(llm.complete(request, held, cancellation), request);
        held.release(reply.message().text());
        return reply;
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }

    @Override
    public void close() {
        llm.close();
    }

    private void keepIds(Message message) {
        if (message instanceof Message.Assistant assistant) {
            assistant.toolCalls().forEach(call -> ids.taken(call.id()));
        }
    }

    private LlmResponse withCalls(LlmResponse reply, LlmRequest request) {
        boolean whole =
                switch (reply.finish()) {
                    case END_TURN, TOOL_USE -> true;
                    case MAX_TOKENS, PAUSED, REFUSAL -> false;
                };
        if (!whole || !reply.toolCalls().isEmpty()) {
            return reply;
        }
        TextCalls reader = new TextCalls(request.tools());
        List<Block> blocks = new ArrayList<>();
        List<Block> calls = new ArrayList<>();
        for (Block block : reply.message().blocks()) {
            if (!(block instanceof Block.Text(String text))) {
                blocks.add(block);
                continue;
            }
            TextCalls.Found found = reader.in(text);
            if (!found.text().isEmpty()) {
                blocks.add(new Block.Text(found.text()));
            }
            for (TextCalls.Call call : found.calls()) {
                ToolCall made = new ToolCall(ids.unique(""), call.name(), call.arguments());
                calls.add(new Block.Call(made));
            }
        }
        if (calls.isEmpty()) {
            return reply;
        }
        blocks.addAll(calls);
        return new LlmResponse(
                new Message.Assistant(blocks),
                FinishReason.TOOL_USE,
                reply.usage(),
                Set.of(),
                reply.requestId(),
                reply.compacted());
    }

    /** Passes text on up to the first sign of a call; the rest waits for the end. */
    private static final class HeldText implements LlmListener {
        private final LlmListener next;
        private final StringBuilder all = new StringBuilder();
        private int told;
        private boolean holding;

        HeldText(LlmListener next) {
            this.next = next;
        }

        /** Tells what of the final text was not told yet. */
        void release(String text) {
            if (text.length() > told) {
                next.text(text.substring(told));
            }
        }

        @Override
        public void text(String delta) {
            int before = all.length();
            all.append(delta);
            if (holding) {
                return;
            }
            int from = Math.max(0, before - TextCalls.MAX_SIGN);
            TextCalls.Sign sign = TextCalls.sign(all.substring(from), from);
            holding = sign.certain();
            if (sign.at() > told) {
                next.text(all.substring(told, sign.at()));
                told = sign.at();
            }
        }

        @Override
        public void thinking(String delta) {
            next.thinking(delta);
        }

        @Override
        public boolean mayRetry(LlmException failure) {
            return next.mayRetry(failure);
        }

        @Override
        public void retry(
                int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
            next.retry(attempt, delay, failure, textWithdrawn && told > 0);
            all.setLength(0);
            told = 0;
            holding = false;
        }

        @Override
        public void warning(String message) {
            next.warning(message);
        }
    }
}
