package dev.agentloop.wiring.model;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderClient;
import dev.agentloop.llm.provider.ProviderEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The models that a provider itself lists at this moment. */
public final class LiveModels {
    private static final int MOST = 10_000; // the largest router has a tenth of that
    private static final HttpLimits LIMITS =
            new HttpLimits(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(20),
                    HttpLimits.DEFAULT.maxEventBytes(),
                    HttpLimits.DEFAULT.maxReplyBytes());

    private LiveModels() {}

    /**
     * Asks once; a failure is an {@code LlmException}.
     *
     * @param provider how it is reached; its model does not matter
     */
    public static List<String> of(
            ModelChoice.Chosen provider, AgentConfig.Llm config, Map<String, String> environment) {
        ProviderEndpoint endpoint = Providers.endpoint(provider, environment);
        try (HttpTransport transport =
                new HttpTransport(
                        new SystemTime(),
                        environment,
                        LIMITS,
                        () -> Authorities.of(config, environment))) {
            ProviderClient client =
                    new ProviderClient(
                            endpoint,
                            transport,
                            address(provider.protocol(), endpoint),
                            headers(provider.protocol(), endpoint.key()));
            return names(client.document(new Cancellation()));
        }
    }

    private static String address(AgentConfig.Protocol protocol, ProviderEndpoint endpoint) {
        return switch (protocol) {
            case ANTHROPIC -> all(endpoint.url("/v1", "/models"), "limit");
            case GEMINI -> all(endpoint.url("/v1beta", "/models"), "pageSize");
            case OPENAI_CHAT, OPENAI_RESPONSES -> endpoint.url("", "/models");
            case EMBEDDED -> throw new IllegalArgumentException("is asked by nobody");
        };
    }

    /** One page with as many as these two give. */
    private static String all(String url, String parameter) {
        return url + (url.indexOf('?') < 0 ? "?" : "&") + parameter + "=1000";
    }

    private static Map<String, String> headers(
            AgentConfig.Protocol protocol, @Nullable String key) {
        Map<String, String> headers = new HashMap<>();
        if (protocol == AgentConfig.Protocol.ANTHROPIC) {
            headers.put("anthropic-version", "2023-06-01");
        }
        if (key != null) {
            switch (protocol) {
                case ANTHROPIC -> headers.put("x-api-key", key);
                case GEMINI -> headers.put("x-goog-api-key", key);
                case OPENAI_CHAT, OPENAI_RESPONSES, EMBEDDED ->
                        headers.put("Authorization", "Bearer " + key);
            }
        }
        return headers;
    }

    /** OpenAI's and Anthropic's shape, Gemini's, and the bare list of some servers. */
    static List<String> names(JsonValue answer) {
        JsonValue list = answer.isArray() ? answer : answer.at("data");
        List<String> names = new ArrayList<>();
        for (JsonValue model : list.isArray() ? list.items() : answer.at("models").items()) {
            String name = model.at("id").textOr(model.at("name").text());
            String bare = name.startsWith("models/") ? name.substring(7) : name; // Google's
            if (!bare.isBlank() && names.size() < MOST) {
                names.add(bare);
            }
        }
        return names;
    }
}
