package dev.agentloop.config.key;

import static dev.agentloop.config.key.Key.Project.MAY;
import static dev.agentloop.config.key.Key.Project.MAY_TIGHTEN;
import static dev.agentloop.config.key.KeyForms.confirm;
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
import dev.agentloop.config.key.ValueType.Whole;
import dev.agentloop.config.key.ValueType.WholeOrAuto;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The table of keys. The strict reader, the defaults, the JSON Schema, the documentation and the
 * template all come from it, so a new key is one entry here and one component in AgentConfig.
 */
public final class Keys {
    private static final String LATER_SECTION = "is not supported by this version yet";

    /** Keys of the contract that this version would silently ignore, and what to say instead. */
    public static final Map<String, String> LATER =
            Map.ofEntries(
                    Map.entry("skills", "has no keys: a skill is a folder with a SKILL.md"),
                    Map.entry("telemetry", LATER_SECTION),
                    Map.entry("costs", LATER_SECTION));

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration YEAR = Duration.ofDays(365); // to multiply durations costs 30 ms
    private static final Duration MAX_COMMAND = Duration.ofSeconds(600); // contract 6
    private static final int MAX_TOKENS = 100_000_000; // far above any window, far below overflow

    public static final List<Key> ALL = all();

    private Keys() {}

    private static List<Key> all() {
        List<Key> keys = new ArrayList<>();
        keys.add(
                text(
                                "workspace",
                                Form.PATH,
                                "Root of the workspace; the current directory if unset.")
                        .variable("AGENT_WORKSPACE")
                        .option("--workspace")
                        .notInFiles());
        ModelKeys.addTo(keys);
        AgentKeys.addTo(keys);
        addTools(keys);
        addPermissions(keys);
        PolicyKeys.addGuardrails(keys);
        addContext(keys);
        addLimits(keys);
        HookKeys.addTo(keys);
        ServerKeys.addTo(keys);
        addCommands(keys);
        addTheRest(keys);
        return List.copyOf(keys);
    }

    private static void addTools(List<Key> keys) {
        keys.add(
                whole("tools.max_parallel", 1, 16, 4L)
                        .meaning("Tool calls at once.")
                        .project(MAY_TIGHTEN));
        keys.add(
                whole("tools.result_budget_chars", 1_000, 10_000_000, 80_000L)
                        .meaning("Characters of all results of one step together.")
                        .project(MAY_TIGHTEN));
        keys.add(
                whole("tools.max_calls_per_step", 1, 256, 32L)
                        .meaning("Calls of one reply that are run; the rest get an error.")
                        .project(MAY_TIGHTEN));
        keys.add(
                key(
                                "tools.syntax_check",
                                new Flag(),
                                true,
                                "Whether edited files are parsed, and new errors told to the model.")
                        .project(MAY));
        keys.add(
                key(
                        "tools.web_private_hosts",
                        new Texts(Form.ANY),
                        List.of(),
                        "Servers of your own net that web_fetch may reach, e.g. localhost:8080."));
    }

    private static void addPermissions(List<Key> keys) {
        keys.add(
                key("permissions.confirm", confirm(), "confirm-sensitive", "Who is asked.")
                        .option("--confirm"));
        keys.add(rules("allow", "Calls that run without a question.").option("--allow"));
        keys.add(rules("ask", "Calls that always need a yes.").project(MAY_TIGHTEN));
        keys.add(
                rules("deny", "Calls that never run; deny always wins.")
                        .option("--deny")
                        .project(MAY_TIGHTEN));
        PolicyKeys.addRules(keys);
        keys.add(
                key(
                                "sandbox.mode",
                                Choice.of("auto", "required", "bwrap", "landlock", "off"),
                                "auto",
                                "Sandbox of commands; required: no run without one.")
                        .option("--sandbox"));
        keys.add(key("sandbox.network", Choice.of("off", "on"), "off", "Network for commands."));
        keys.add(
                key(
                        "sandbox.writable",
                        new Texts(Form.PATH),
                        List.of(),
                        "Folders outside the workspace that commands may write to."));
        keys.add(
                key(
                        "sandbox.readable",
                        new Texts(Form.PATH),
                        List.of(),
                        "Files and folders of the home directory that commands may read."));
    }

    private static void addContext(List<Key> keys) {
        keys.add(
                key(
                                "context.max_context_tokens",
                                new Whole(0, MAX_TOKENS, true),
                                null,
                                "Tokens of the history; unset: the model's window, else 80000.")
                        .project(MAY_TIGHTEN));
        keys.add(
                whole("context.summarize_after_steps", 0, 1_000_000, 8L)
                        .meaning("Steps before old ones may be summarised.")
                        .project(MAY));
        keys.add(
                whole("context.keep_recent_steps", 1, 1_000, 4L)
                        .meaning("Newest steps that a summary leaves alone.")
                        .project(MAY));
        keys.add(
                key(
                                "context.server_compaction",
                                new Flag(),
                                false,
                                "Whether Anthropic's and OpenAI's servers sum up old steps themselves.")
                        .project(MAY));
        addSteps(keys);
    }

    private static void addSteps(List<Key> keys) {
        keys.add(
                key(
                                "context.max_tool_result_tokens",
                                new WholeOrAuto(MAX_TOKENS, 2_000),
                                WholeOrAuto.AUTO,
                                "Longer tool results are truncated; auto: a sixteenth of the model's window.")
                        .project(MAY_TIGHTEN));
        keys.add(
                key(
                                "context.finish_check",
                                Choice.of("auto", "off"),
                                "auto",
                                "Whether the model is asked once to check files that it changed after its last successful command.")
                        .option("--finish-check")
                        .project(MAY));
        keys.add(
                key(
                                "context.parallel_tools",
                                new Flag(),
                                true,
                                "Whether tool calls of one step may run side by side.")
                        .option("--parallel-tools")
                        .project(MAY));
    }

    private static void addLimits(List<Key> keys) {
        keys.add(
                whole("limits.max_steps", 0, 1_000_000, 50L)
                        .meaning("Model calls with tools; 0 closes at once.")
                        .option("--max-steps")
                        .variable("AGENT_MAX_STEPS")
                        .project(MAY_TIGHTEN));
        keys.add(
                key(
                                "limits.budget",
                                new Money(),
                                null,
                                "US dollars, a hard cap: a call that might pass it is not sent; 0 allows only what costs nothing.")
                        .option("--budget")
                        .variable("AGENT_BUDGET")
                        .project(MAY_TIGHTEN));
        keys.add(limit("timeout", "Whole run, wall clock.").option("--timeout"));
        keys.add(limit("step_timeout", "One model call.").option("--step-timeout"));
        keys.add(
                whole("limits.max_tokens_total", 0, 1_000_000_000_000L, null)
                        .meaning(
                                "Tokens in and out, a hard cap: a call that might pass it is not sent; 0 closes at once.")
                        .option("--max-tokens-total")
                        .project(MAY_TIGHTEN));
        keys.add(
                whole("limits.max_tool_calls", 0, 1_000_000, null)
                        .meaning("Tool calls that are run. Unset: no limit.")
                        .option("--max-tool-calls")
                        .project(MAY_TIGHTEN));
    }

    private static void addCommands(List<Key> keys) {
        keys.add(
                span("commands.timeout", SECOND, MAX_COMMAND, 120)
                        .meaning("Longest time for a command, unless the model asks for another.")
                        .project(MAY_TIGHTEN));
        keys.add(
                key(
                        "commands.pass_env",
                        new Texts(Form.VARIABLE),
                        List.of(),
                        "Variables that commands see besides the harmless ones."));
        keys.add(
                key(
                                "commands.keep_background",
                                new Flag(),
                                false,
                                "Whether background commands go on after the run; without a sandbox only.")
                        .option("--keep-background"));
    }

    private static void addTheRest(List<Key> keys) {
        keys.add(
                key(
                        "secrets.redact_to_model",
                        new Flag(),
                        true,
                        "Whether the model sees placeholders in place of secrets."));
        keys.add(key("sessions.auto_save", new Flag(), true, "Whether sessions are kept."));
        keys.add(
                key(
                        "sessions.fsync",
                        Choice.of("intent", "every", "never"),
                        "intent",
                        "When the journal waits for the disk."));
        addMemory(keys);
        addEvaluation(keys);
        keys.add(
                key(
                                "logging.level",
                                Choice.of("error", "warn", "human", "info", "debug"),
                                "human",
                                "What is shown on stderr.")
                        .variable("AGENT_LOG_LEVEL")
                        .option("--log-level"));
        keys.add(
                text("logging.file", Form.PATH, "File for the log with everything.")
                        .variable("AGENT_LOG_FILE")
                        .option("--log-file"));
    }

    private static void addMemory(List<Key> keys) {
        keys.add(
                key(
                        "memory.enabled",
                        new Flag(),
                        false,
                        "Whether notes are kept for later runs, and told to the model."));
        keys.add(
                whole("memory.max_bytes", 500, 100_000, 8_000L)
                        .meaning("Bytes of each file of notes."));
    }

    private static void addEvaluation(List<Key> keys) {
        keys.add(
                key(
                                "evaluation.mode",
                                Choice.of("off", "basic", "full"),
                                "off",
                                "Whether a model judges finished work; full: what does not pass is corrected.")
                        .option("--self-eval"));
        keys.add(
                whole("evaluation.max_retries", 0, 10, 2L)
                        .meaning("Corrections in the mode full."));
        keys.add(
                key(
                        "evaluation.confidence_threshold",
                        new Decimal(BigDecimal.ZERO, BigDecimal.ONE),
                        new BigDecimal("0.8"),
                        "Confidence of the judgement below which work does not pass, 0 to 1."));
    }

    private static Key limit(String name, String what) {
        return key(
                        "limits." + name,
                        new Span(Duration.ofMillis(1), YEAR, true),
                        null,
                        what + " Unset or 0: no limit.")
                .variable(name.equals("timeout") ? "AGENT_TIMEOUT" : "")
                .project(MAY_TIGHTEN);
    }

    private static Key rules(String name, String meaning) {
        return key("permissions." + name, new Texts(Form.ANY), List.of(), meaning);
    }
}
