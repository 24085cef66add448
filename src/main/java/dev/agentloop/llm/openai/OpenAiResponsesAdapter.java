package dev.agentloop.llm.openai;

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

/** Speaks OpenAI's Responses API. Its dialect stops in this package. */
public final class OpenAiResponsesAdapter implements LlmAdapter {
    private final ModelInfo model;
    private final HttpTransport transport;
    private final ProviderClient client;
    private final CallIds ids = new CallIds();
    private final WireRequests requests;

    /** The transport is closed with the adapter. */
    public OpenAiResponsesAdapter(
            ProviderEndpoint endpoint, ModelInfo model, HttpTransport transport) {
        this.model = model;
        this.transport = transport;
        this.client =
                new ProviderClient(
                        endpoint,
                        transport,
                        endpoint.url("", "/responses"),
                        OpenAiWords.headers(endpoint));
        this.requests = new WireRequests(new ResponsesDialect(model, ids));
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        return client.exchange(
                requests.of(request), new ResponsesReply(listener, ids), cancellation);
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
