package dev.agentloop.cli.command;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of {@code run} and {@code resume}: names, meaning, and the configuration key that an
 * option sets, if it sets one. Help, documentation and parsing all read this table.
 */
public enum RunOption {
    PROMPT(Kind.VALUE, "", "TEXT", "The task, instead of plain words.", "-p", "--prompt"),
    PROMPT_FILE(Kind.VALUE, "", "FILE", "Read the task from a file.", "--prompt-file"),
    STDIN(Kind.FLAG, "", "", "Wait for standard input to its end, however slow it is.", "--stdin"),
    CONFIG(Kind.VALUE, "", "FILE", "A configuration file above all others.", "-c", "--config"),
    CWD(
            Kind.VALUE,
            "workspace",
            "DIR",
            "Workspace root (default: the current directory).",
            "-C",
            "--cwd",
            "-w",
            "--workspace"),
    ADD_DIR(
            Kind.LIST,
            "permissions.add_dirs",
            "DIR",
            "A folder that counts as part of the workspace. Repeatable.",
            "--add-dir"),
    AGENT(
            Kind.VALUE,
            "",
            "NAME",
            "Agent: build (default), plan, review, explore, resume, or one of agent agents list.",
            "-a",
            "--agent"),
    MODE(Kind.VALUE, "", "mixed", "mixed: plan with reading tools, then build.", "--mode"),
    MODEL(
            Kind.VALUE,
            "llm.model",
            "PROVIDER/MODEL",
            "The model, e.g. openai/gpt-5.5 or demo/scripted.",
            "-m",
            "--model"),
    FALLBACK_MODEL(
            Kind.COMMAS,
            "llm.fallback_models",
            "A,B",
            "Models that take over, in this order, when one stays unavailable.",
            "--fallback-model"),
    EFFORT(
            Kind.VALUE,
            "llm.effort",
            "LEVEL",
            "How much the model thinks: off, low, medium, high, max.",
            "--effort"),
    TEMPERATURE(
            Kind.VALUE,
            "llm.temperature",
            "NUMBER",
            "How freely the model words its answers, 0 to 2.",
            "--temperature"),
    JSON_SCHEMA(
            Kind.VALUE,
            "",
            "FILE|TEXT",
            "The final answer must be JSON of this schema.",
            "--json-schema"),
    IMAGE(Kind.LIST, "", "FILE", "Show the model an image. Repeatable.", "--image"),
    BASE_URL(Kind.VALUE, "llm.base_url", "URL", "Base URL of the provider's API.", "--base-url"),
    API_KEY_ENV(
            Kind.VALUE,
            "llm.api_key_env",
            "NAME",
            "Environment variable that holds the key.",
            "--api-key-env"),
    CONFIRM(
            Kind.VALUE,
            "permissions.confirm",
            "PRESET",
            "Who is asked: confirm-all, confirm-sensitive (default), yolo.",
            "--confirm"),
    YOLO(
            Kind.FLAG,
            "permissions.confirm=yolo",
            "",
            "Ask nobody; needs a sandbox that works, or --sandbox off beside it.",
            "--yolo"),
    ALLOW(
            Kind.LIST,
            "permissions.allow",
            "RULE",
            "Allow without asking, e.g. 'run_command(git status*)'. Repeatable.",
            "--allow",
            "--allowed-tools"),
    DENY(
            Kind.LIST,
            "permissions.deny",
            "RULE",
            "Never allow; always wins. Repeatable.",
            "--deny",
            "--disallowed-tools"),
    SANDBOX(
            Kind.VALUE,
            "sandbox.mode",
            "MODE",
            "Sandbox of commands: auto, required, bwrap, landlock, off.",
            "--sandbox"),
    ALLOW_DESTRUCTIVE(
            Kind.FLAG,
            "",
            "",
            "In a trusted workspace without a terminal: destructive commands may run.",
            "--allow-destructive"),
    ALLOW_NET(
            Kind.LIST,
            "",
            "HOST",
            "Give commands the network; =HOST lets only web_fetch ask this server. Repeatable.",
            "--allow-net"),
    RULES_FROM(
            Kind.VALUE,
            "",
            "REF",
            "Take the project's rules and guidance from this git commit (CI: the base branch).",
            "--rules-from"),
    MCP_CONFIG(
            Kind.LIST,
            "",
            "FILE",
            "MCP servers of a JSON file: {\"mcpServers\": {…}}. Repeatable.",
            "--mcp-config"),
    NO_MCP(Kind.FLAG, "", "", "Start no MCP server.", "--no-mcp"),
    TRUST(Kind.FLAG, "", "", "Read this workspace's own configuration in this run.", "--trust"),
    MAX_STEPS(
            Kind.VALUE,
            "limits.max_steps",
            "N",
            "Model calls with tools (50; 0 closes at once).",
            "--max-steps",
            "--max-turns"),
    BUDGET(
            Kind.VALUE,
            "limits.budget",
            "USD",
            "Hard cap on what the model calls of the session may cost.",
            "--budget",
            "--max-budget-usd"),
    ADD_BUDGET(
            Kind.VALUE,
            "",
            "USD",
            "Hard cap on what a session that goes on may cost from now on.",
            "--add-budget"),
    MAX_TOKENS_TOTAL(
            Kind.VALUE,
            "limits.max_tokens_total",
            "N",
            "Hard cap on the tokens of the session, in and out.",
            "--max-tokens-total"),
    MAX_TOOL_CALLS(
            Kind.VALUE,
            "limits.max_tool_calls",
            "N",
            "Stop when a tool call beyond this many is asked for.",
            "--max-tool-calls"),
    TIMEOUT(
            Kind.VALUE,
            "limits.timeout",
            "DURATION",
            "Wall clock of the whole run: 90, 90s, 5m, 1h30m.",
            "--timeout"),
    STEP_TIMEOUT(
            Kind.VALUE,
            "limits.step_timeout",
            "DURATION",
            "Longest single model call.",
            "--step-timeout"),
    SELF_EVAL(
            Kind.VALUE,
            "evaluation.mode",
            "MODE",
            "Have finished work judged: off (default), basic, full (and corrected).",
            "--self-eval"),
    FINISH_CHECK(
            Kind.VALUE,
            "context.finish_check",
            "MODE",
            "Ask once for a check of changed files: auto (default), off.",
            "--finish-check"),
    KEEP_BACKGROUND(
            Kind.FLAG,
            "commands.keep_background=true",
            "",
            "Background commands go on after the run (with --sandbox off).",
            "--keep-background"),
    PARALLEL(
            Kind.FLAG,
            "context.parallel_tools=true",
            "",
            "Run tool calls of one reply side by side (default).",
            "--parallel-tools"),
    NO_PARALLEL(
            Kind.FLAG,
            "context.parallel_tools=false",
            "",
            "Run tool calls one after another.",
            "--no-parallel-tools"),
    DRY_RUN(
            Kind.FLAG,
            "",
            "",
            "Reads run; writes and commands are only recorded and listed.",
            "--dry-run"),
    JSON(Kind.FLAG, "", "", "Print one JSON object at the end (= --output-format json).", "--json"),
    OUTPUT_FORMAT(
            Kind.VALUE,
            "",
            "text|json|stream-json",
            "What stands on stdout: the answer (default), one object, or one event a line.",
            "--output-format"),
    OUTPUT_FILE(Kind.VALUE, "", "FILE", "The final answer also to a file.", "-o", "--output-file"),
    NO_STREAM(Kind.FLAG, "", "", "Ask for whole replies instead of streams.", "--no-stream"),
    QUIET(Kind.FLAG, "", "", "No human log; errors are still shown.", "-q", "--quiet"),
    VERBOSE(
            Kind.COUNT,
            "",
            "",
            "Technical log on stderr; -vv with every detail.",
            "-v",
            "--verbose"),
    LOG_FILE(Kind.VALUE, "logging.file", "FILE", "Log everything as JSON lines.", "--log-file"),
    LOG_FORMAT(
            Kind.VALUE,
            "",
            "plain|classic",
            "plain: the work in a person's words (at a terminal); classic: by steps.",
            "--log-format"),
    PLAIN(
            Kind.FLAG,
            "",
            "",
            "For screen readers: whole lines, without colours, and none drawn anew.",
            "--plain"),
    LOG_LEVEL(
            Kind.VALUE,
            "logging.level",
            "LEVEL",
            "debug, info, human (default), warn, error.",
            "--log-level"),
    SESSION(Kind.VALUE, "", "ID", "Continue this session (= --resume).", "--session", "--resume"),
    CONTINUE(Kind.FLAG, "", "", "Continue the newest session of this workspace.", "--continue"),
    FORK_SESSION(
            Kind.FLAG,
            "",
            "",
            "Go on with a copy of the session; the session itself stays as it is.",
            "--fork-session"),
    RESUME_AT(
            Kind.VALUE,
            "",
            "N",
            "Go on with a copy of the session's first N records, as of a damaged one.",
            "--resume-at"),
    WAIT(Kind.FLAG, "", "", "Wait while another run has the session.", "--wait"),
    NO_SESSION(Kind.FLAG, "", "", "Keep no session.", "--no-session"),
    RECORD(
            Kind.VALUE,
            "",
            "FILE",
            "Record the run as a cassette, which can be replayed.",
            "--record"),
    REPLAY(
            Kind.VALUE,
            "",
            "FILE",
            "Play a recorded run again: offline, without a key; nothing is run or changed.",
            "--replay"),
    REPLAY_MODEL(
            Kind.VALUE,
            "",
            "FILE",
            "Take the model's answers from a cassette; tools, hooks and policy are real.",
            "--replay-model"),
    ON_PARTIAL(
            Kind.VALUE,
            "",
            "N",
            "Exit code of partial runs (2); timeouts stay 5, interrupts 130.",
            "--exit-code-on-partial"),
    STRICT_DENIALS(
            Kind.FLAG,
            "",
            "",
            "A denied call makes an otherwise successful run partial (2).",
            "--strict-denials"),
    APPEND_SYSTEM_PROMPT(
            Kind.VALUE,
            "",
            "TEXT",
            "Add this to the agent's instructions.",
            "--append-system-prompt");

    enum Kind {
        FLAG,
        COUNT,
        VALUE,
        COMMAS,
        LIST
    }

    private final Kind kind;
    private final String key;
    private final String label;
    private final String help;
    private final String[] names;

    RunOption(Kind kind, String key, String label, String help, String... names) {
        this.kind = kind;
        this.key = key;
        this.label = label;
        this.help = help;
        this.names = names;
    }

    /**
     * The options that limit a run, by their keys, so that a new limit is among them wherever they
     * are taken; without those that mean something else there.
     */
    public static Set<RunOption> limitsBut(RunOption... others) {
        return Arrays.stream(values())
                .filter(option -> option.key.startsWith("limits."))
                .filter(option -> !List.of(others).contains(option))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(RunOption.class)));
    }

    /** These options and those, in the order of this table. */
    public static Set<RunOption> join(Set<RunOption> these, RunOption... those) {
        EnumSet<RunOption> all = EnumSet.copyOf(these);
        all.addAll(List.of(those));
        return Collections.unmodifiableSet(all);
    }

    public static void addTo(CommandSpec spec) {
        addTo(spec, List.of(values()));
    }

    public static void addTo(CommandSpec spec, Collection<RunOption> some) {
        for (RunOption option : some) {
            spec.addOption(option.spec());
        }
    }

    Kind kind() {
        return kind;
    }

    public boolean isGiven(ParseResult arguments) {
        return arguments.hasMatchedOption(names[0]);
    }

    /** Its first name with two dashes. */
    public String longName() {
        return names[0].startsWith("--") || names.length == 1 ? names[0] : names[1];
    }

    public String text(ParseResult arguments) {
        return Specs.text(arguments, names[0]);
    }

    public List<String> texts(ParseResult arguments) {
        return Specs.texts(arguments, names[0]);
    }

    public int count(ParseResult arguments) {
        return arguments.matchedOptionValue(names[0], new boolean[0]).length;
    }

    public String key() {
        return key;
    }

    public OptionSpec spec() {
        OptionSpec.Builder builder = OptionSpec.builder(names).description(help);
        return switch (kind) {
            case FLAG -> builder.type(boolean.class).build();
            case COUNT -> builder.type(boolean[].class).arity("0").build();
            case VALUE, COMMAS -> builder.type(String.class).paramLabel(label).build();
            case LIST -> Specs.values(label, help, names);
        };
    }
}
