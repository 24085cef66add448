package dev.agentloop.testing;

import dev.agentloop.control.Cancellation;
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
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A model that says what a test tells it to, and refuses every history that a strict provider would
 * refuse: unanswered or orphaned results, repeated ids, an empty assistant message.
 */
public final class ScriptedLlm implements LlmAdapter {
    private final List<Turn> turns;
    private boolean endless;
    private final List<LlmRequest> requests = new ArrayList<>();
    private boolean paused;

    /** One answer, given when its turn comes; may throw or block instead. */
    public interface Turn extends BiFunction<LlmRequest, Cancellation, LlmResponse> {}

    private ScriptedLlm(List<Turn> turns) {
        this.turns = turns;
    }

    public static ScriptedLlm of(Turn... turns) {
        return new ScriptedLlm(List.of(turns));
    }

    /** The same for every request. */
    public static ScriptedLlm always(Turn turn) {
        ScriptedLlm llm = of(turn);
        llm.endless = true;
        return llm;
    }

    public static Turn says(String text) {
        return (request, _) -> reply(FinishReason.END_TURN, new Block.Text(text));
    }

    /** Calls of {@code name, json} pairs; ids are given by position in the whole run. */
    public static Turn calls(String... pairs) {
        return (request, _) -> reply(FinishReason.TOOL_USE, blocks(request, pairs));
    }

    /** The same reply, for which the provider counts as many tokens. */
    public static Turn counting(Turn turn, long in, long out) {
        return (request, cancellation) -> {
            LlmResponse reply = turn.apply(request, cancellation);
            return new LlmResponse(
                    reply.message(),
                    reply.finish(),
                    new Usage(in, out, 0, 0, 0, false),
                    reply.cutCalls(),
                    reply.requestId());
        };
    }

    public static Turn ends(FinishReason finish, String text) {
        return (request, _) -> text.isEmpty() ? reply(finish) : reply(finish, new Block.Text(text));
    }

    /** A call whose arguments the output limit cut. */
    public static Turn cutCall(String name, String half) {
        return (request, _) -> {
            Block[] blocks = blocks(request, name, half);
            ToolCall call = ((Block.Call) blocks[0]).call();
            return new LlmResponse(
                    new Message.Assistant(List.of(blocks)),
                    FinishReason.MAX_TOKENS,
                    new Usage(100, 10, 0, 0, 0, false),
                    Set.of(call.id()),
                    "");
        };
    }

    public static Turn fails(RuntimeException failure) {
        return (request, _) -> {
            throw failure;
        };
    }

    /** Says nothing until it is stopped. */
    public static Turn stalls() {
        return (_, cancellation) -> {
            try {
                if (!cancellation.await(20_000)) {
                    throw new AssertionError("nobody stopped the call");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            throw new LlmException.Cancelled(cancellation.cause().orElseThrow());
        };
    }

    public static LlmResponse reply(FinishReason finish, Block... blocks) {
        return new LlmResponse(
                new Message.Assistant(List.of(blocks)),
                finish,
                new Usage(100, 10, 0, 0, 0, false),
                Set.of(),
                "req");
    }

    /** The requests so far. */
    public List<LlmRequest> requests() {
        return requests;
    }

    public List<Message> messagesOf(int request) {
        return requests.get(request).messages();
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        refuseImpossible(request.messages(), paused);
        requests.add(
                new LlmRequest(
                        List.copyOf(request.messages()),
                        request.tools(),
                        request.mayCallTools(),
                        request.maxOutputTokens(),
                        request.stream()));
        if (requests.size() > turns.size() && !endless) {
            throw new AssertionError("the script ended, but the model was called again");
        }
        int turn = endless ? 0 : requests.size() - 1;
        LlmResponse response = turns.get(turn).apply(request, cancellation);
        paused = response.finish() == FinishReason.PAUSED;
        if (!response.message().text().isEmpty()) {
            listener.text(response.message().text());
        }
        return response;
    }

    @Override
    public ModelInfo model() {
        return new ModelInfo("test", "scripted", 100_000, 1_000);
    }

    private static Block[] blocks(LlmRequest request, String... pairs) {
        Block[] blocks = new Block[pairs.length / 2];
        for (int i = 0; i < blocks.length; i++) {
            String id = "call_" + request.messages().size() + "_" + i;
            blocks[i] = new Block.Call(new ToolCall(id, pairs[2 * i], pairs[2 * i + 1]));
        }
        return blocks;
    }

    private static void refuseImpossible(List<Message> history, boolean paused) {
        check(history.getFirst() instanceof Message.System, "the system message comes first");
        check(
                paused
                        || history.getLast() instanceof Message.User
                        || history.getLast() instanceof Message.Tool,
                "the last word is not the model's");
        Set<String> ids = new HashSet<>();
        List<String> open = new ArrayList<>();
        for (Message message : history.subList(1, history.size())) {
            if (message instanceof Message.Tool(String id, var _)) {
                check(!open.isEmpty() && open.removeFirst().equals(id), "orphan result " + id);
                continue;
            }
            check(open.isEmpty(), "unanswered calls " + open);
            check(!(message instanceof Message.System), "a second system message");
            if (message instanceof Message.Assistant assistant) {
                check(!assistant.blocks().isEmpty(), "empty assistant message");
                for (ToolCall call : assistant.toolCalls()) {
                    check(ids.add(call.id()), "repeated id " + call.id());
                    open.add(call.id());
                }
            }
        }
        check(open.isEmpty(), "unanswered calls " + open);
    }

    private static void check(boolean legal, String problem) {
        if (!legal) {
            throw new AssertionError("a provider would refuse this history: " + problem);
        }
    }
}
