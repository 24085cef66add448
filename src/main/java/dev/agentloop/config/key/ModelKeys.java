package dev.agentloop.config.key;

import static dev.agentloop.config.key.KeyForms.effort;
import static dev.agentloop.config.key.KeyForms.key;
import static dev.agentloop.config.key.KeyForms.span;
import static dev.agentloop.config.key.KeyForms.text;
import static dev.agentloop.config.key.KeyForms.whole;

import dev.agentloop.config.key.ValueType.Choice;
import dev.agentloop.config.key.ValueType.Decimal;
import dev.agentloop.config.key.ValueType.Flag;
import dev.agentloop.config.key.ValueType.Form;
import dev.agentloop.config.key.ValueType.Money;
import dev.agentloop.config.key.ValueType.Span;
import dev.agentloop.config.key.ValueType.Texts;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** The part of the table that is about models and their providers. */
final class ModelKeys {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofHours(24);
    private static final int MAX_TOKENS = 100_000_000; // far above any window, far below overflow

    private static final String ABILITIES = "providers.*.models.*.capabilities.";

    private ModelKeys() {}

    static void addTo(List<Key> keys) {
        addLlm(keys);
        addCalls(keys);
        addTrust(keys);
        addProviders(keys);
    }

    private static void addLlm(List<Key> keys) {
        keys.add(
                text("llm.model", Form.MODEL, "Model that answers; unset: by the keys at hand.")
                        .variable("AGENT_MODEL")
                        .option("--model"));
        keys.add(
                text("llm.base_url", Form.URL, "Address for the chosen provider, for this run.")
                        .variable("AGENT_BASE_URL")
                        .option("--base-url")
                        .notInFiles());
        keys.add(
                text("llm.api_key_env", Form.VARIABLE, "Variable with the key, for this run.")
                        .variable("AGENT_API_KEY_ENV")
                        .option("--api-key-env")
                        .notInFiles());
        keys.add(
                key(
                                "llm.effort",
                                effort(),
                                null,
                                "How much the model thinks; unset: its own default.")
                        .option("--effort"));
        keys.add(
                key(
                                "llm.temperature",
                                new Decimal(BigDecimal.ZERO, BigDecimal.TWO),
                                null,
                                "How freely the model words its answers; unset: its own default.")
                        .option("--temperature"));
        keys.add(
                key(
                                "llm.fallback_models",
                                new Texts(Form.MODEL),
                                null,
                                "Models that take over, in this order, when the one before stays"
                                        + " unavailable.")
                        .option("--fallback-model"));
    }

    private static void addCalls(List<Key> keys) {
        keys.add(
                whole("llm.max_output_tokens", 1, MAX_TOKENS, null)
                        .meaning("Cap of one reply; unset: the model's own limit."));
        keys.add(
                whole("llm.max_retries", 0, 100, 4L)
                        .meaning("Further attempts after a failed call; 0: none."));
        keys.add(
                span("llm.idle_timeout", Duration.ofMillis(100), Duration.ofHours(1), 120)
                        .meaning("Longest silence within a reply."));
        keys.add(
                key(
                        "llm.request_timeout",
                        new Span(SECOND, DAY, true),
                        null,
                        "Longest time for one attempt, connection to last byte; then it is tried"
                                + " again; unset or 0: no limit."));
        keys.add(
                whole("llm.max_continuations", 0, 100, 3L)
                        .meaning("How often a reply cut by its cap is taken up again; 0: never."));
    }

    private static void addTrust(List<Key> keys) {
        keys.add(
                text(
                        "llm.ca_file",
                        Form.PATH,
                        "PEM file with CAs to trust besides the system's; relative to this file."));
    }

    private static void addProviders(List<Key> keys) {
        keys.add(
                key(
                        "providers.*.protocol",
                        Choice.of("openai-chat", "openai-responses", "anthropic", "gemini"),
                        null,
                        "Wire protocol; unset: openai-chat, or the built-in one."));
        keys.add(
                text(
                        "providers.*.base_url",
                        Form.URL,
                        "Address, up to and with its version, which anthropic and gemini may leave out."));
        keys.add(
                text(
                        "providers.*.api_key_env",
                        Form.VARIABLE,
                        "Variable with the key; unset: the built-in one, else no key is sent."));
        keys.add(
                text(
                        "providers.*.key_header",
                        Form.HEADER,
                        "Header with the key; unset: the protocol's own, e.g. Authorization: Bearer."));
        keys.add(text("providers.*.query", Form.QUERY, "Query of every address."));
        keys.add(
                whole("providers.*.models.*.context_window", 1, MAX_TOKENS, null)
                        .meaning("Tokens that the model can see."));
        keys.add(
                whole("providers.*.models.*.max_output_tokens", 1, MAX_TOKENS, null)
                        .meaning("Tokens that one reply can have."));
        addPrice(keys, "input", "prompt");
        addPrice(keys, "cached_input", "prompt read from a cache");
        addPrice(keys, "cache_write", "prompt written to a cache");
        addPrice(keys, "output", "reply");
        addPrice(keys, "reasoning", "reasoning, if not the price of the reply");
        addAbilities(keys);
    }

    private static void addAbilities(List<Key> keys) {
        addFlag(keys, "tools", "Whether it calls tools.");
        addFlag(keys, "images", "Whether it takes images.");
        keys.add(
                key(
                        ABILITIES + "efforts",
                        new Texts(Form.EFFORT),
                        null,
                        "Levels of llm.effort that it knows; none: it has no such setting."));
        addFlag(keys, "parallel_tools", "Whether one reply may hold several tool calls.");
        addFlag(
                keys,
                "answer_schema",
                "Whether the provider itself enforces a schema of the answer.");
        addFlag(
                keys,
                "text_calls",
                "Whether it writes tool calls into its text, as some local models do.");
        addFlag(
                keys,
                "reasoning_goes_back",
                "Whether it wants to see its earlier reasoning (openai-chat).");
        addFlag(
                keys,
                "max_completion_tokens",
                "Whether it refuses max_tokens, the old name of the limit (openai-chat).");
        addFlag(keys, "temperature", "Whether it takes a temperature; else none is sent.");
        keys.add(
                key(
                        ABILITIES + "tool_names",
                        Choice.of("own", "claude", "codex"),
                        null,
                        "Names under which it is told of the tools; unset: their own."));
    }

    private static void addFlag(List<Key> keys, String name, String meaning) {
        keys.add(key(ABILITIES + name, new Flag(), null, meaning));
    }

    private static void addPrice(List<Key> keys, String name, String what) {
        keys.add(
                key(
                        "providers.*.models.*.price." + name,
                        new Money(),
                        null,
                        "US dollars per million tokens: " + what + "."));
    }
}
