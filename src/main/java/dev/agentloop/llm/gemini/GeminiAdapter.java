package dev.agentloop.llm.gemini;

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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Speaks Gemini's generateContent. Its dialect stops in this package. */
public final class GeminiAdapter implements LlmAdapter {
    private static final String TUNED = "tunedModels/";
    private static final String MODELS = "models/";

    private final ModelInfo model;
    private final HttpTransport transport;
    private final ProviderClient streaming;
    private final ProviderClient whole;
    private final CallIds ids = new CallIds();
    private final WireRequests requests;

    /** The transport is closed with the adapter. */
    public GeminiAdapter(ProviderEndpoint endpoint, ModelInfo model, HttpTransport transport) {
        this.model = model;
        this.transport = transport;
        String key = endpoint.key();
        Map<String, String> headers = key == null ? Map.of() : Map.of("x-goog-api-key", key);
        String url = address(endpoint, model.name());
        String stream = url.replaceFirst(":generateContent", ":streamGenerateContent");
        String asEvents = stream + (stream.contains("?") ? "&" : "?") + "alt=sse";
        this.streaming = new ProviderClient(endpoint, transport, asEvents, headers);
        this.whole = new ProviderClient(endpoint, transport, url, headers);
        this.requests = new WireRequests(new GeminiDialect(model, ids));
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        ProviderClient client = request.stream() ? streaming : whole;
        return client.exchange(requests.of(request), new GeminiReply(listener, ids), cancellation);
    }

    @Override
    public ModelInfo model() {
        return model;
    }

    @Override
    public void close() {
        transport.close();
    }

    /** A model's name is one element of the path; its folder may be named before it. */
    private static String address(ProviderEndpoint endpoint, String name) {
        String folder = name.startsWith(TUNED) ? TUNED : MODELS;
        String own = name.startsWith(folder) ? name.substring(folder.length()) : name;
        String element = URLEncoder.encode(own, StandardCharsets.UTF_8).replace("+", "%20");
        return endpoint.url("/v1beta", "/" + folder + element + ":generateContent");
    }
}
