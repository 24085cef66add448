package dev.agentloop.llm.decorator;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.ToolAlias;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tells a model of our tools under names that it was trained on. Outside of it nothing changes:
 * history, rules and events have our names, so a session may go on with another model. Each message
 * is said in the same words in every request of a run, which prompt caches need.
 */
public final class RenamedToolsLlm implements LlmAdapter {
    private final LlmAdapter llm;
    private final Map<String, ToolAlias> byOwn = new HashMap<>();
    private final Map<String, ToolAlias> byOther = new HashMap<>();
    private final IdentityHashMap<Message, Message> said = new IdentityHashMap<>();
    private final Pattern ownNames;
    private List<ToolSpec> tools = List.of();
    private List<ToolSpec> declared = List.of();

    /**
     * @param names not our own
     */
    public RenamedToolsLlm(LlmAdapter llm, ToolNames names) {
        this.llm = llm;
        for (ToolAlias alias : names.aliases()) {
            byOwn.put(alias.own(), alias);
            byOther.put(alias.other(), alias);
        }
        this.ownNames =
                Pattern.compile(
                        byOwn.keySet().stream()
                                .filter(name -> name.contains("_")) // grep is a word, too
                                .collect(Collectors.joining("|", "\\b(", ")\\b")));
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        LlmRequest named =
                new LlmRequest(
                        request.messages().stream().map(this::named).toList(),
                        declared(request.tools()),
                        request.mayCallTools(),
                        request.maxOutputTokens(),
                        request.stream(),
                        request.generation());
        LlmResponse reply = llm.complete(named, listener, cancellation);
        return reply.toolCalls().isEmpty() ? reply : own(reply);
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }

    @Override
    public void close() {
        llm.close();
    }

    private List<ToolSpec> declared(List<ToolSpec> own) {
        if (own != tools) {
            tools = own;
            declared = own.stream().map(this::declared).toList();
        }
        return declared;
    }

    private ToolSpec declared(ToolSpec spec) {
        ToolSpec worded =
                new ToolSpec(
                        spec.name(), words(spec.description()), spec.parameters(), spec.effect());
        ToolAlias alias = byOwn.get(spec.name());
        return alias == null ? worded : alias.declared(worded);
    }

    /** Our instructions speak of tools by name; results do not change, they hold files. */
    private String words(String text) {
        return ownNames.matcher(text)
                .replaceAll(name -> {
                    ToolAlias alias = byOwn.get(name.group());
                    return alias == null ? name.group() : alias.other();
                });
    }

    private Message named(Message message) {
        return switch (message) {
            case Message.System(String text) ->
                    said.computeIfAbsent(message, _ -> new Message.System(words(text)));
            case Message.Assistant assistant when !assistant.toolCalls().isEmpty() ->
                    said.computeIfAbsent(message, _ -> withCalls(assistant, this::toOther));
            case Message.Assistant _, Message.User _, Message.Tool _ -> message;
        };
    }

    private LlmResponse own(LlmResponse reply) {
        Message.Assistant own = withCalls(reply.message(), this::toOwn);
        said.put(own, reply.message()); // goes back as it came
        return reply.withMessage(own);
    }

    /** Says a call in other words. */
    private interface Saying {
        ToolCall of(ToolCall call);
    }

    private static Message.Assistant withCalls(Message.Assistant message, Saying saying) {
        List<Block> blocks = new ArrayList<>();
        for (Block block : message.blocks()) {
            blocks.add(
                    block instanceof Block.Call(ToolCall call)
                            ? new Block.Call(saying.of(call))
                            : block);
        }
        return new Message.Assistant(blocks);
    }

    private ToolCall toOther(ToolCall call) {
        ToolAlias alias = byOwn.get(call.name());
        return alias == null
                ? call
                : new ToolCall(call.id(), alias.other(), alias.toOther(call.arguments()));
    }

    /** A model that uses our names all the same is understood. */
    private ToolCall toOwn(ToolCall call) {
        ToolAlias alias = byOther.get(call.name());
        return alias == null
                ? call
                : new ToolCall(call.id(), alias.own(), alias.toOwn(call.arguments()));
    }
}
