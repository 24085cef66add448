package dev.agentloop.llm;

import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;

/** An adapter to be tested and the protocol that it speaks. */
public interface Subject {
    Wire wire();

    LlmAdapter adapter(ProviderEndpoint endpoint, HttpTransport transport);

    /** The base URL for a server's address. */
    String base(String address);
}
