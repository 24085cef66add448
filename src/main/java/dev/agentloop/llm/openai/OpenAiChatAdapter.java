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

/** Speaks Chat Completions. Its dialect stops in this package. */
public final class OpenAiChatAdapter implements LlmAdapter {
    private final ModelInfo model;
    private final HttpTransport transport;
    private final ProviderClient client;
    private final CallIds ids = new CallIds();
    private final WireRequests requests;

    /** The transport is closed with the adapter. */
    public OpenAiChatAdapter(ProviderEndpoint endpoint, ModelInfo model, HttpTransport transport) {
        this.model = model;
        this.transport = transport;
        String url = endpoint.url("", "/chat/completions");
        this.client = new ProviderClient(endpoint, transport, url, OpenAiWords.headers(endpoint));
        boolean original = url.startsWith("https://api.openai.com/");
        this.requests = new WireRequests(new ChatDialect(model, original, ids));
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        ChatReply reply = new ChatReply(listener, ids, model.capabilities().reasoningGoesBack());
        return client.exchange(requests.of(request), reply, cancellation);
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
