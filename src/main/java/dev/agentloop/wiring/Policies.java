package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigException;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.Similar;
import java.util.ArrayList;
import java.util.List;

/** Turns the configuration's rules into a policy. */
public final class Policies {
    private Policies() {}

    /**
     * The policy of a run.
     *
     * @param extraAllowed rules that the program itself adds
     * @throws ConfigException when a rule cannot be read
     */
    public static PermissionPolicy of(
            AgentConfig.Permissions permissions, List<String> extraAllowed) {
        List<Rule> rules = new ArrayList<>();
        add(rules, permissions.deny(), Verdict.DENY, "permissions.deny");
        add(rules, permissions.ask(), Verdict.ASK, "permissions.ask");
        add(rules, permissions.allow(), Verdict.ALLOW, "permissions.allow");
        add(rules, extraAllowed, Verdict.ALLOW, "permissions.allow");
        return new PermissionPolicy(rules, preset(permissions.confirm()));
    }

    private static void add(List<Rule> rules, List<String> texts, Verdict verdict, String key) {
        for (String text : texts) {
            rules.add(
                    Rule.parse(text, verdict)
                            .orElseThrow(() ->
                                    new ConfigException(
                                            key,
                                            "\"" + text + "\" is not a rule",
                                            "Write TOOL or TOOL(PATTERN), e.g."
                                                    + " run_command(git status*).",
                                            "")));
            checkTool(text, key);
        }
    }

    /** A typing error in the name of a tool would leave open what the rule was to close. */
    private static void checkTool(String text, String key) {
        int open = text.indexOf('(');
        String tool = (open < 0 ? text : text.substring(0, open)).strip();
        boolean known = Tools.NAMES.contains(tool) || Tools.PROMISED.contains(tool);
        if (tool.equals("web_fetch") && open >= 0) {
            checkServer(text, key);
        }
        if (known || tool.contains("*") || tool.startsWith("mcp__")) {
            return;
        }
        List<String> near = Similar.to(tool, Tools.NAMES, 1);
        throw new ConfigException(
                key,
                "\"" + text + "\" names no tool",
                near.isEmpty()
                        ? "Tools: " + String.join(", ", Tools.NAMES) + "."
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
                    "Write web_fetch(HOST), web_fetch(HOST:PORT) or web_fetch(*.DOMAIN).",
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
