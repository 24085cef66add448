package dev.agentloop.config.key;

import static dev.agentloop.config.key.Key.Project.MAY;
import static dev.agentloop.config.key.Key.Project.MAY_TIGHTEN;
import static dev.agentloop.config.key.KeyForms.key;
import static dev.agentloop.config.key.KeyForms.span;
import static dev.agentloop.config.key.KeyForms.text;

import dev.agentloop.config.key.ValueType.Choice;
import dev.agentloop.config.key.ValueType.Flag;
import dev.agentloop.config.key.ValueType.Form;
import dev.agentloop.config.key.ValueType.Maps;
import dev.agentloop.config.key.ValueType.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keys of the commands that run at moments of a run. */
public final class HookKeys {
    private static final String SECTION = "hooks.";
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Events besides post_edit, and what their commands are for. */
    private static final Map<String, String> MEANINGS = meanings();

    /** Names of those events, in their order in a run. */
    public static final List<String> EVENTS = List.copyOf(MEANINGS.keySet());

    /** Claude Code's names of events. */
    private static final Map<String, String> ALIASES =
            Map.of(
                    "SessionStart", "session_start",
                    "PreToolUse", "pre_tool",
                    "PostToolUse", "post_tool",
                    "PostCompact", "compaction",
                    "Stop", "agent_done",
                    "SessionEnd", "session_end");

    private HookKeys() {}

    private static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put("session_start", "Commands that run before the first step.");
        meanings.put("prompt_build", "Commands that may add to the system prompt.");
        meanings.put("iteration", "Commands that run before each step.");
        meanings.put("pre_llm", "Commands that run before each request to the model.");
        meanings.put("post_llm", "Commands that run after each reply of the model.");
        meanings.put("pre_tool", "Commands that are asked before a tool call runs.");
        meanings.put("post_tool", "Commands that run after a tool call.");
        meanings.put("compaction", "Commands that run after old messages were replaced by less.");
        meanings.put("step_end", "Commands that run after each step with tool calls.");
        meanings.put("agent_done", "Commands that run when the model says that it is done.");
        meanings.put("error", "Commands that run when something fails that ends the run.");
        meanings.put("budget_warning", "Commands that run once most of the budget is spent.");
        meanings.put("session_end", "Commands that run when the run is over.");
        return meanings;
    }

    /** The path that is meant: the same, or ours for one of Claude Code's names. */
    public static KeyPath meant(KeyPath path) {
        String ours =
                path.parts().size() == 2 && path.part(0).equals("hooks")
                        ? ALIASES.get(path.part(1))
                        : null;
        return ours == null ? path : KeyPath.of(SECTION + ours);
    }

    static void addTo(List<Key> keys) {
        List<Key> edit = new ArrayList<>(named("Command line; {file} is one argument."));
        edit.add(
                key(
                        "file_patterns",
                        new Texts(Form.ANY),
                        List.of(),
                        "Globs of changed files; none: every file."));
        edit.addAll(limits());
        keys.add(list("post_edit", edit, "Commands that run after a file was changed.", MAY));
        MEANINGS.forEach(
                (event, meaning) -> keys.add(list(event, of(event), meaning, MAY_TIGHTEN)));
    }

    private static Key list(String event, List<Key> hook, String meaning, Key.Project project) {
        return key(SECTION + event, new Maps(hook), List.of(), meaning).project(project);
    }

    private static List<Key> of(String event) {
        List<Key> hook =
                new ArrayList<>(named("Command line; reads JSON from its standard input."));
        if (event.endsWith("_tool")) {
            hook.add(
                    key(
                            "tools",
                            new Texts(Form.ANY),
                            List.of(),
                            "Globs for names of tools; none: every tool."));
        }
        hook.addAll(limits());
        if (event.equals("pre_tool") || event.equals("pre_llm")) {
            hook.add(
                    key(
                            "on_failure",
                            Choice.of("deny", "allow"),
                            "deny",
                            "What a hook has said that fails, hangs or cannot be understood."));
        }
        return hook;
    }

    private static List<Key> named(String command) {
        return List.of(
                text("name", Form.ANY, "Shown in logs and results.").mandatory(),
                text("command", Form.ANY, command).mandatory());
    }

    private static List<Key> limits() {
        return List.of(
                span("timeout", SECOND, Duration.ofMinutes(10), 10)
                        .meaning("The hook is killed after it."),
                key("enabled", new Flag(), true, "false: the hook is skipped."));
    }
}
