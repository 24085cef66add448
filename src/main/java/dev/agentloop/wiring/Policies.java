package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.GuardrailConfig;
import dev.agentloop.config.RuleConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.Similar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Turns the configuration's rules into a policy. */
public final class Policies {
    /** What rules may be about besides tools: commands that need the network. */
    private static final String NETWORK = "network";

    private Policies() {}

    /**
     * The policy of a run.
     *
     * @param extraAllowed rules that the program itself adds, or a person has said always hold
     * @param agent its reach holds, and what its rules ask and deny; what they allow is in the
     *     configuration if the run began with it
     * @throws ConfigException when a rule cannot be read, or one of its examples fails
     */
    static PermissionPolicy of(
            AgentConfig config, Circumstances where, List<String> extraAllowed, Profile agent) {
        AgentConfig.Permissions permissions = config.permissions();
        List<Rule> rules = new ArrayList<>(rules(permissions));
        add(rules, extraAllowed, Verdict.ALLOW, "permissions.allow");
        add(rules, agent.rules().ask(), Verdict.ASK, "agents." + agent.name() + ".ask");
        add(rules, agent.rules().deny(), Verdict.DENY, "agents." + agent.name() + ".deny");
        return new PermissionPolicy(
                rules,
                preset(permissions.confirm()),
                where,
                guardrails(config.guardrails()),
                agent.reach());
    }

    /**
     * The policy of an agent that works for another one: never wider than that one's.
     *
     * @param above policy of the agent that it works for
     * @throws ConfigException when one of its rules cannot be read
     */
    static PermissionPolicy below(
            AgentConfig config, Circumstances where, Profile agent, PermissionPolicy above) {
        boolean asks =
                config.agent(agent.name())
                        .flatMap(AgentProfile::confirm)
                        .filter(AgentConfig.Confirm.CONFIRM_ALL::equals)
                        .isPresent();
        List<Rule> rules = new ArrayList<>(rules(config.permissions()));
        add(rules, agent.rules().ask(), Verdict.ASK, "agents." + agent.name() + ".ask");
        add(rules, agent.rules().deny(), Verdict.DENY, "agents." + agent.name() + ".deny");
        return new PermissionPolicy(
                        rules,
                        asks ? ConfirmPreset.CONFIRM_ALL : preset(config.permissions().confirm()),
                        where,
                        guardrails(config.guardrails()),
                        agent.reach())
                .within(above);
    }

    /** Refuses what cannot be a policy, before anything starts. */
    public static void check(AgentConfig config) {
        rules(config.permissions());
        guardrails(config.guardrails());
        config.guardrails()
                .codeRules()
                .forEach(rule -> pattern(rule.pattern(), "guardrails.code_rules"));
    }

    /** Refuses what cannot be rules of an agent that may take over. */
    static void check(String agent, AgentProfile.Rules own) {
        List<Rule> rules = new ArrayList<>();
        add(rules, own.ask(), Verdict.ASK, "agents." + agent + ".ask");
        add(rules, own.deny(), Verdict.DENY, "agents." + agent + ".deny");
    }

    /**
     * Whether a rule of the user denies a call of a server's tool, whoever makes it.
     *
     * @param arguments as JSON text
     */
    static boolean denies(AgentConfig config, String tool, String arguments) {
        return rules(config.permissions()).stream().anyMatch(rule -> rule.denies(tool, arguments));
    }

    private static List<Rule> rules(AgentConfig.Permissions permissions) {
        List<Rule> rules = new ArrayList<>();
        add(rules, permissions.deny(), Verdict.DENY, "permissions.deny");
        add(rules, permissions.ask(), Verdict.ASK, "permissions.ask");
        add(rules, permissions.allow(), Verdict.ALLOW, "permissions.allow");
        for (RuleConfig rule : permissions.rules()) {
            Rule parsed = parse(rule.rule(), verdict(rule.verdict()), "permissions.rules");
            parsed = rule.reason().isEmpty() ? parsed : parsed.because(rule.reason());
            checkExamples(rule, parsed);
            rules.add(parsed);
        }
        return rules;
    }

    private static void checkExamples(RuleConfig config, Rule rule) {
        for (String example : config.match()) {
            if (!rule.speaksAbout(example)) {
                throw failed(config, "does not match its own example \"" + example + "\"");
            }
        }
        for (String example : config.notMatch()) {
            if (rule.speaksAbout(example)) {
                throw failed(config, "matches \"" + example + "\", which it must not");
            }
        }
    }

    private static ConfigException failed(RuleConfig rule, String problem) {
        return new ConfigException(
                "permissions.rules",
                "the rule " + rule.rule() + " " + problem,
                "Correct the rule or its example; agent policy explain shows how a call is judged.",
                "");
    }

    private static Guardrails guardrails(GuardrailConfig config) {
        List<Pattern> blocked = new ArrayList<>();
        for (String text : config.blockedCommands()) {
            blocked.add(pattern(text, "guardrails.blocked_commands"));
        }
        return new Guardrails(config.protectedFiles(), config.sensitiveFiles(), blocked);
    }

    static Pattern pattern(String text, String key) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new ConfigException(
                    key,
                    "\"" + text + "\" is no regular expression: " + e.getDescription(),
                    "Correct it.",
                    "");
        }
    }

    private static Verdict verdict(String word) {
        return switch (word) {
            case "allow" -> Verdict.ALLOW;
            case "ask" -> Verdict.ASK;
            default -> Verdict.DENY;
        };
    }

    private static void add(List<Rule> rules, List<String> texts, Verdict verdict, String key) {
        for (String text : texts) {
            rules.add(parse(text, verdict, key));
        }
    }

    private static Rule parse(String text, Verdict verdict, String key) {
        Rule rule =
                Rule.parse(text, verdict)
                        .orElseThrow(() ->
                                new ConfigException(
                                        key,
                                        "\"" + text + "\" is not a rule",
                                        "Write TOOL or TOOL(PATTERN), e.g."
                                                + " run_command(git status*).",
                                        ""));
        checkTool(text, key);
        return rule;
    }

    /** Names of other coding agents' tools, and of ours that do the same. */
    private static final Map<String, String> ELSEWHERE =
            Map.of(
                    "Bash", "run_command",
                    "Read", "read_file",
                    "Edit", "edit_file",
                    "MultiEdit", "edit_file",
                    "Write", "write_file",
                    "Glob", "find_files",
                    "Grep", "grep",
                    "WebFetch", "web_fetch",
                    "TodoWrite", "todo_write",
                    "Task", "dispatch_subagent");

    /** A typing error in the name of a tool would leave open what the rule was to close. */
    private static void checkTool(String text, String key) {
        int open = text.indexOf('(');
        String tool = (open < 0 ? text : text.substring(0, open)).strip();
        boolean known =
                Tools.NAMES.contains(tool) || Tools.PROMISED.contains(tool) || tool.equals(NETWORK);
        if (tool.equals("web_fetch") && open >= 0) {
            checkServer(text, key);
        }
        if (known || tool.contains("*") || tool.startsWith("mcp__")) {
            return;
        }
        String elsewhere = ELSEWHERE.getOrDefault(tool, "");
        String behind = open < 0 ? "" : text.substring(open).replace(":*)", " *)");
        List<String> near =
                elsewhere.isEmpty()
                        ? Similar.to(tool, Tools.NAMES, 1)
                        : List.of(elsewhere + behind.replace("(domain:", "("));
        throw new ConfigException(
                key,
                "\"" + text + "\" names no tool",
                near.isEmpty()
                        ? "Tools: "
                                + String.join(", ", Tools.NAMES)
                                + ", "
                                + String.join(", ", Tools.PROMISED)
                                + "."
                        : "Did you mean " + near.getFirst() + "?",
                "");
    }

    /** A pattern that no server fits would deny nothing, or allow nothing, without a word. */
    private static void checkServer(String rule, String key) {
        String pattern = rule.substring(rule.indexOf('(') + 1, rule.lastIndexOf(')')).strip();
        if (!pattern.matches("\\*\\*?") && HostPattern.parse(pattern).isEmpty()) {
            throw new ConfigException(
                    key,
                    "\"" + rule + "\" names no server",
                    "Write web_fetch(HOST), web_fetch(HOST:PORT) or web_fetch(*.DOMAIN); with"
                            + " --allow-net what is in the brackets.",
                    "");
        }
    }

    private static ConfirmPreset preset(AgentConfig.Confirm confirm) {
        return switch (confirm) {
            case CONFIRM_ALL -> ConfirmPreset.CONFIRM_ALL;
            case CONFIRM_SENSITIVE -> ConfirmPreset.CONFIRM_SENSITIVE;
            case YOLO -> ConfirmPreset.YOLO;
        };
    }
}
