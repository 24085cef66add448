package dev.agentloop.wiring.model;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.control.Time;
import dev.agentloop.cost.Price;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.llm.anthropic.AnthropicAdapter;
import dev.agentloop.llm.decorator.FailoverLlm;
import dev.agentloop.llm.decorator.RenamedToolsLlm;
import dev.agentloop.llm.decorator.RetryingLlm;
import dev.agentloop.llm.decorator.TextCallsLlm;
import dev.agentloop.llm.decorator.TimedLlm;
import dev.agentloop.llm.demo.DemoModel;
import dev.agentloop.llm.gemini.GeminiAdapter;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.openai.OpenAiChatAdapter;
import dev.agentloop.llm.openai.OpenAiResponsesAdapter;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the adapter for the chosen model. A new protocol is one line here. */
public final class Providers {
    private Providers() {}

    /** Begins to load what a call to a provider needs. */
    public static void prepare() {
        HttpTransport.prepare();
    }

    /** The model, with retries around it and its fallbacks behind it. */
    public static LlmAdapter open(RunSetup setup, RunSurroundings around) {
        Time time = around.time();
        Map<String, String> environment = around.environment();
        AgentConfig.Llm config = setup.config().llm();
        LlmAdapter first = open(setup.model(), config, time, environment);
        if (setup.fallbacks().isEmpty()) {
            return first;
        }
        List<Supplier<LlmAdapter>> next = new ArrayList<>();
        for (ModelChoice.Chosen fallback : setup.fallbacks()) {
            next.add(() -> open(fallback, config, time, environment));
        }
        return new FailoverLlm(first, next);
    }

    /** Fails if authorities that the model's server needs cannot be read; no run begins then. */
    public static void checkAuthorities(
            ModelChoice.Chosen model, AgentConfig.Llm config, Map<String, String> environment) {
        if (speaksTls(model)) {
            checkAuthorities(config, environment);
        }
    }

    /** The same for servers with TLS. */
    public static void checkAuthorities(AgentConfig.Llm config, Map<String, String> environment) {
        Authorities.of(config, environment);
    }

    /** Whether the model's server has to show a certificate. */
    public static boolean speaksTls(ModelChoice.Chosen model) {
        return "https".equalsIgnoreCase(model.baseUrl().getScheme());
    }

    /** The model, with retries around it. */
    public static LlmAdapter open(
            ModelChoice.Chosen model,
            AgentConfig.Llm config,
            Time time,
            Map<String, String> environment) {
        return model.protocol() == AgentConfig.Protocol.EMBEDDED
                ? new DemoModel()
                : retrying(
                        adapter(model, environment, transport(config, time, environment)),
                        config,
                        time);
    }

    private static LlmAdapter adapter(
            ModelChoice.Chosen model, Map<String, String> environment, HttpTransport transport) {
        ProviderEndpoint endpoint = endpoint(model, environment);
        ModelInfo info = model.model().info();
        return switch (model.protocol()) {
            case OPENAI_CHAT -> new OpenAiChatAdapter(endpoint, info, transport);
            case OPENAI_RESPONSES -> new OpenAiResponsesAdapter(endpoint, info, transport);
            case ANTHROPIC -> new AnthropicAdapter(endpoint, info, transport);
            case GEMINI -> new GeminiAdapter(endpoint, info, transport);
            case EMBEDDED -> throw new IllegalArgumentException("it has no server");
        };
    }

    /** Exact prices for the cost tracker; null when the two that every call needs are unknown. */
    public static @Nullable Price price(AgentConfig.Price listed) {
        if (!listed.isKnown()) {
            return null;
        }
        BigDecimal input = listed.input().orElseThrow();
        BigDecimal output = listed.output().orElseThrow();
        return new Price(
                input,
                listed.cachedInput().orElse(input),
                listed.cacheWrite().orElse(input),
                output,
                listed.reasoning().orElse(output));
    }

    private static LlmAdapter retrying(LlmAdapter adapter, AgentConfig.Llm config, Time time) {
        Capabilities can = adapter.model().capabilities();
        LlmAdapter called = can.textCalls() ? new TextCallsLlm(adapter) : adapter;
        LlmAdapter inner =
                can.toolNames() == ToolNames.OWN
                        ? called
                        : new RenamedToolsLlm(called, can.toolNames());
        LlmAdapter timed =
                config.requestTimeout().isPresent()
                        ? new TimedLlm(inner, time, config.requestTimeout().get())
                        : inner;
        return new RetryingLlm(
                timed, time, config.maxRetries(), () -> ThreadLocalRandom.current().nextDouble());
    }

    static ProviderEndpoint endpoint(ModelChoice.Chosen model, Map<String, String> environment) {
        return new ProviderEndpoint(
                model.model().info().provider(),
                model.baseUrl() + model.query().map(query -> "?" + query).orElse(""),
                model.key(environment).orElse(null),
                model.apiKeyEnv().orElse(""),
                Map.of(),
                model.keyHeader().orElse(""));
    }

    private static HttpTransport transport(
            AgentConfig.Llm config, Time time, Map<String, String> environment) {
        HttpLimits standard = HttpLimits.DEFAULT;
        HttpLimits limits =
                new HttpLimits(
                        standard.connect(),
                        standard.headers(),
                        config.idleTimeout(),
                        standard.noData().compareTo(config.idleTimeout()) < 0
                                ? config.idleTimeout()
                                : standard.noData(),
                        standard.maxEventBytes(),
                        standard.maxReplyBytes());
        return new HttpTransport(
                time, environment, limits, () -> Authorities.of(config, environment));
    }
}
