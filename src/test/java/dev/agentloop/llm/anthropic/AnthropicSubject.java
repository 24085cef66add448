package dev.agentloop.llm.anthropic;

import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.Subject;
import dev.agentloop.llm.Wire;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;

/** The adapter of this package. */
final class AnthropicSubject implements Subject {
    private final Wire wire = new AnthropicWire();

    @Override
    public Wire wire() {
        return wire;
    }

    @Override
    public LlmAdapter adapter(ProviderEndpoint endpoint, HttpTransport transport) {
        return new AnthropicAdapter(endpoint, new ModelInfo("canary", "c-1", 0, 0), transport);
    }

    @Override
    public String base(String address) {
        return address;
    }
}
