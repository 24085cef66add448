package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigMistakesTest {
    @TempDir Path folder;

    @ParameterizedTest(name = "{1}")
    @MethodSource({"names", "values", "structures", "later"})
    void eachMistakeIsToldWithItsPlaceAndARemedy(String yaml, String message) {
        assertEquals(message, new ConfigFixture(folder).user(yaml).refusal());
    }

    static Stream<Arguments> names() {
        return Stream.of(
                arguments(
                        "limits:\n  max_step: 5",
                        "FILE:2: limits.max_step: unknown key; did you mean \"max_steps\"?\n"
                                + "  Known here: max_steps, budget, timeout, step_timeout,"
                                + " max_tokens_total, max_tool_calls."),
                arguments(
                        "limits:\n  maxSteps: 5",
                        "FILE:2: limits.maxSteps: unknown key; did you mean \"max_steps\"?\n"
                                + "  Known here: max_steps, budget, timeout, step_timeout,"
                                + " max_tokens_total, max_tool_calls."),
                arguments(
                        "\n\nmax_steps: 5",
                        "FILE:3: max_steps: unknown key; did you mean \"limits.max_steps\"?\n"
                                + "  Known here: llm, providers, agents, tools, permissions,"
                                + " sandbox, guardrails, context, limits, hooks, mcp_servers, commands, secrets, sessions,"
                                + " memory, evaluation, logging."),
                arguments(
                        "sessions: {xyzzy: 1}",
                        "FILE:1: sessions.xyzzy: unknown key\n  Known here: auto_save, fsync."),
                arguments(
                        "providers: {a/b: {protocol: anthropic}}",
                        "FILE:1: providers.a/b: \"a/b\" is not a name\n"
                                + "  Allowed: letters, digits, dot, dash and underscore;"
                                + " for models any text."),
                arguments(
                        "hooks: {post_edit: [{name: x, command: y, file_pattern: z}]}",
                        "FILE:1: hooks.post_edit[0].file_pattern: unknown key; did you mean"
                                + " \"file_patterns\"?\n  Known here: name, command,"
                                + " file_patterns, timeout, enabled."));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                arguments(
                        "limits:\n  max_steps: many",
                        "FILE:2: limits.max_steps: \"many\" is not a whole number\n"
                                + "  Allowed: a whole number from 0 to 1000000."),
                arguments(
                        "limits: {max_steps: \"\"}",
                        "FILE:1: limits.max_steps: is empty\n"
                                + "  Allowed: a whole number from 0 to 1000000."),
                arguments(
                        "llm: {effort: hihg}",
                        "FILE:1: llm.effort: \"hihg\" is not known; did you mean \"high\"?\n"
                                + "  Allowed: one of off, low, medium, high, max."),
                arguments(
                        "llm: {model: gpt-5.5}",
                        "FILE:1: llm.model: \"gpt-5.5\" names no provider\n"
                                + "  Allowed: PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5."),
                arguments(
                        "llm: {base_url: \"http://x\"}",
                        "FILE:1: llm.base_url: cannot stand in a file\n"
                                + "  Use the option --base-url or the variable AGENT_BASE_URL."),
                arguments(
                        "hooks: {post_edit: [{name: x, command: y, timeout: 11m}]}",
                        "FILE:1: hooks.post_edit[0].timeout: 11m is out of range\n"
                                + "  Allowed: a duration from 1s to 10m, e.g. 90, 90s, 5m, 1h30m."));
    }

    static Stream<Arguments> structures() {
        return Stream.of(
                arguments(
                        "limits: {max_steps: [5]}",
                        "FILE:1: limits.max_steps: is a list\n"
                                + "  Allowed: a whole number from 0 to 1000000."),
                arguments(
                        "limits: {timeout: {m: 5}}",
                        "FILE:1: limits.timeout: is a map\n  Allowed: a duration from 1ms to"
                                + " 8760h, e.g. 90, 90s, 5m, 1h30m; 0 is no limit."),
                arguments(
                        "limits: 5",
                        "FILE:1: limits: is text, but needs keys below it\n"
                                + "  Known here: max_steps, budget, timeout, step_timeout,"
                                + " max_tokens_total, max_tool_calls."),
                arguments(
                        "limits:\n  max_steps:",
                        "FILE:2: limits.max_steps: has no value\n"
                                + "  Allowed: a whole number from 0 to 1000000."),
                arguments(
                        "limits: {max_steps: ~}",
                        "FILE:1: limits.max_steps: has no value\n"
                                + "  Allowed: a whole number from 0 to 1000000."),
                arguments(
                        "permissions: {deny: run_command}",
                        "FILE:1: permissions.deny: is text, not a list\n"
                                + "  Allowed: a list, each entry text."),
                arguments(
                        "permissions: {deny: [a, {b: c}]}",
                        "FILE:1: permissions.deny[1]: is a map\n"
                                + "  Allowed: a list, each entry text."),
                arguments(
                        "hooks:\n  post_edit:\n    - command: x\n    - name: y",
                        "FILE:3: hooks.post_edit[0].name: is missing\n  Allowed: text.\n"
                                + "FILE:4: hooks.post_edit[1].command: is missing\n"
                                + "  Allowed: text."));
    }

    static Stream<Arguments> later() {
        return Stream.of(
                arguments(
                        "costs: {prices: []}",
                        "FILE:1: costs: is not supported by this version yet\n"
                                + "  Remove it, so that nobody relies on it."),
                arguments(
                        "telemetry: {exporter: otlp}",
                        "FILE:1: telemetry: is not supported by this version yet\n"
                                + "  Remove it, so that nobody relies on it."));
    }
}
