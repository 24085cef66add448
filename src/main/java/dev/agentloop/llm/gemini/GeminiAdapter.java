package dev.agentloop.llm.gemini;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.http.ProviderClient;
import dev.agentloop.llm.http.ProviderEndpoint;
import dev.agentloop.llm.http.WireRequests;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/** Speaks Gemini's generateContent. Its dialect stops in this package. */
public final class GeminiAdapter implements LlmAdapter {
    private static final Pattern VERSION = Pattern.compile("/v\\d+[a-z0-9]*/*(\\?.*)?$");

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

    /** A model's name is one element of the path; only tuned models have a folder before it. */
    private static String address(ProviderEndpoint endpoint, String name) {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("%2F", "/");
        String folder = name.startsWith("tunedModels/") ? "/" : "/models/";
        String version = VERSION.matcher(endpoint.baseUrl()).find() ? "" : "/v1beta";
        return endpoint.url(version, folder + encoded + ":generateContent");
    }
}
