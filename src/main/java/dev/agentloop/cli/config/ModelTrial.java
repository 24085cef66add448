package dev.agentloop.cli.config;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.ModelSelection;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.key.KeyLookup;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.ValueType;
import dev.agentloop.config.key.Values;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.output.SafeText;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.wiring.model.LocalProbe;
import dev.agentloop.wiring.model.Providers;
import dev.agentloop.wiring.prompt.Prompts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** One small request to a model, by the way of every run but without a second attempt. */
final class ModelTrial {
    private static final int MAX_OUTPUT_TOKENS = 2_048; // a sentence and what is thought about it
    private static final KeyPath PROTOCOL = KeyPath.of("providers.any.protocol");

    private final ParseResult arguments;
    private final Invocation invocation;

    ModelTrial(ParseResult arguments, Invocation invocation) {
        this.arguments = arguments;
        this.invocation = invocation;
    }

    ModelsCommand.Answer test(String name, boolean json) throws Exception {
        AgentConfig config;
        ModelChoice.Chosen model;
        try {
            config = ModelsCommand.config(invocation, arguments, options(name));
            model = chosen(config);
        } catch (ConfigException e) {
            throw aboutTheWord(name, e);
        }
        Streams streams = invocation.streams();
        LlmListener warnings =
                new LlmListener() {
                    @Override
                    public void warning(String message) {
                        streams.printError("warning: " + SafeText.line(message, 500) + "\n");
                    }
                };
        LlmResponse reply;
        try (LlmAdapter llm =
                Providers.open(model, config.llm(), new SystemTime(), invocation.environment())) {
            reply = llm.complete(request(), warnings, new Cancellation());
        }
        return new ModelsCommand.Answer(json ? json(reply) : text(model, reply), ExitCode.SUCCESS);
    }

    /** Here the model is a word, not the value of a key or of an option. */
    private static ConfigException aboutTheWord(String name, ConfigException e) {
        ConfigException.Problem problem = e.problems().getFirst();
        return problem.key().equals("llm.model")
                ? new ConfigException(
                        "",
                        problem.problem(),
                        problem.remedy(),
                        "models test " + SafeText.line(name, 80))
                : e;
    }

    private Map<String, List<String>> options(String name) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        options.put("llm.model", List.of(name));
        options.put("llm.max_retries", List.of("0"));
        put(options, "llm.base_url", "--base-url");
        put(options, "llm.api_key_env", "--api-key-env");
        return options;
    }

    private void put(Map<String, List<String>> options, String key, String option) {
        if (arguments.hasMatchedOption(option)) {
            options.put(key, List.of(Specs.text(arguments, option)));
        }
    }

    private ModelChoice.Chosen chosen(AgentConfig config) throws UsageException, AuthException {
        ModelChoice choice = ModelChoice.of(config, invocation.environment(), new LocalProbe());
        ModelChoice.Chosen named = (ModelChoice.Chosen) choice; // a model is named
        ModelChoice.Chosen chosen =
                arguments.hasMatchedOption("--protocol") ? named.speaking(protocol()) : named;
        chosen.checkAddress();
        ModelSelection.checkKey(chosen, invocation.environment());
        return chosen;
    }

    /** In the words of the configuration. */
    private Protocol protocol() throws UsageException {
        String word = Specs.text(arguments, "--protocol");
        ValueType type = Objects.requireNonNull(KeyLookup.at(PROTOCOL)).type();
        try {
            Values.parse(type, word);
            return Protocol.valueOf(word.replace('-', '_').toUpperCase(Locale.ROOT));
        } catch (Values.BadValue e) {
            throw new UsageException(
                    "--protocol: " + e.problem() + ".\n  Allowed: " + type.allowed() + ".");
        }
    }

    private static LlmRequest request() {
        Prompts prompts = new Prompts();
        ToolSpec tool =
                new ToolSpec(
                        "current_time",
                        prompts.modelTestTool(),
                        "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}",
                        Effect.PURE);
        return new LlmRequest(
                List.of(
                        new Message.System(prompts.modelTest()),
                        new Message.User(prompts.modelTestQuestion())),
                List.of(tool),
                true,
                MAX_OUTPUT_TOKENS,
                true);
    }

    private static String stop(LlmResponse reply) {
        return reply.finish().name().toLowerCase(Locale.ROOT);
    }

    private static String reasoning(LlmResponse reply) {
        StringBuilder all = new StringBuilder();
        for (Block block : reply.message().blocks()) {
            if (block instanceof Block.Reasoning(String text, String _)) {
                all.append(text);
            }
        }
        return all.toString();
    }

    private static String json(LlmResponse reply) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("text", reply.message().text());
        object.put("reasoning", reasoning(reply));
        List<@Nullable Object> calls = new ArrayList<>();
        for (ToolCall call : reply.toolCalls()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("name", call.name());
            one.put("args", parsed(call.arguments()));
            calls.add(one);
        }
        object.put("tool_calls", calls);
        object.put("stop", stop(reply));
        Usage used = reply.usage();
        Map<String, @Nullable Object> usage = new LinkedHashMap<>();
        usage.put("input", used.input());
        usage.put("output", used.output());
        usage.put("cache_read", used.cacheRead());
        usage.put("cache_write", used.cacheWrite());
        usage.put("reasoning", used.reasoning());
        usage.put("estimated", used.estimated());
        object.put("usage", usage);
        return Json.text(new JsonValue(object)::writeTo) + "\n";
    }

    /** The arguments as JSON, or as they came where they are none. */
    private static @Nullable Object parsed(String arguments) {
        try {
            return Json.parse(arguments).raw();
        } catch (JsonException e) {
            return arguments;
        }
    }

    private static String text(ModelChoice.Chosen model, LlmResponse reply) {
        StringBuilder lines = new StringBuilder();
        lines.append("model      ").append(SafeText.line(model.model().info().id()));
        lines.append(" at ").append(model.baseUrl()).append('\n');
        String reasoning = reasoning(reply);
        if (!reasoning.isEmpty()) {
            lines.append("reasoning  ").append(SafeText.block(reasoning).strip()).append('\n');
        }
        lines.append("text       ").append(SafeText.block(reply.message().text()).strip());
        lines.append('\n');
        for (ToolCall call : reply.toolCalls()) {
            lines.append("call       ").append(SafeText.line(call.name(), 100)).append(' ');
            lines.append(SafeText.line(call.arguments(), 1_000)).append('\n');
        }
        Usage used = reply.usage();
        lines.append("stop       ").append(stop(reply)).append('\n');
        lines.append("tokens     ").append(used.prompt()).append(" in, ").append(used.output());
        lines.append(" out").append(used.estimated() ? " (estimated)" : "").append('\n');
        return lines.toString();
    }
}
