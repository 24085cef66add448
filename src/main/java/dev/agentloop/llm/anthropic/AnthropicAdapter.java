package dev.agentloop.llm.anthropic;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderClient;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.llm.provider.WireRequests;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import java.util.HashMap;
import java.util.Map;

/** Speaks the Anthropic Messages API. Its dialect stops in this package. */
public final class AnthropicAdapter implements LlmAdapter {
    private static final String VERSION = "2023-06-01"; // of the API, not of the models
    private static final String BETA = "compact-2026-01-12"; // summaries by the server

    private final ModelInfo model;
    private final HttpTransport transport;
    private final ProviderClient client;
    private final ProviderClient compactingClient;
    private final CallIds ids = new CallIds();
    private final WireRequests requests;

    /** The transport is closed with the adapter. */
    public AnthropicAdapter(ProviderEndpoint endpoint, ModelInfo model, HttpTransport transport) {
        this.model = model;
        this.transport = transport;
        Map<String, String> headers = new HashMap<>();
        headers.put("anthropic-version", VERSION);
        if (endpoint.key() != null) {
            headers.put("x-api-key", endpoint.key());
        }
        String url = endpoint.url("/v1", "/messages");
        this.client = new ProviderClient(endpoint, transport, url, headers);
        headers.put("anthropic-beta", BETA);
        this.compactingClient = new ProviderClient(endpoint, transport, url, headers);
        this.requests = new WireRequests(new AnthropicDialect(model, ids));
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        ProviderClient speaker = needsBeta(request) ? compactingClient : client;
        return speaker.exchange(
                requests.of(request), new AnthropicReply(listener, ids), cancellation);
    }

    /** The API knows the blocks of its summaries only if told so, also where none is wanted now. */
    private static boolean needsBeta(LlmRequest request) {
        return request.generation().compactAt() > 0
                || request.messages().stream().anyMatch(AnthropicAdapter::holdsSummary);
    }

    private static boolean holdsSummary(Message message) {
        return message instanceof Message.Assistant said
                && said.blocks().stream()
                        .anyMatch(block ->
                                block instanceof Block.Reasoning(_, String provenance)
                                        && AnthropicBlock.isSummary(provenance));
    }

    @Override
    public ModelInfo model() {
        return model;
    }

    @Override
    public void close() {
        transport.close();
    }
}
