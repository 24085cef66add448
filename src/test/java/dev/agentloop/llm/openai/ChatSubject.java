package dev.agentloop.llm.openai;

import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.Subject;
import dev.agentloop.llm.Wire;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;

/** The adapter of this package. */
final class ChatSubject implements Subject {
    private final Wire wire = new ChatWire();

    @Override
    public Wire wire() {
        return wire;
    }

    @Override
    public LlmAdapter adapter(ProviderEndpoint endpoint, HttpTransport transport) {
        return new OpenAiChatAdapter(endpoint, new ModelInfo("canary", "m-1", 0, 0), transport);
    }

    @Override
    public String base(String address) {
        return address + "/v1";
    }
}
