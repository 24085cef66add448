package dev.agentloop.config.key;

import static dev.agentloop.config.key.Key.Project.MAY_TIGHTEN;
import static dev.agentloop.config.key.KeyForms.key;
import static dev.agentloop.config.key.KeyForms.span;
import static dev.agentloop.config.key.KeyForms.text;
import static dev.agentloop.config.key.KeyForms.whole;

import dev.agentloop.config.key.ValueType.Choice;
import dev.agentloop.config.key.ValueType.Flag;
import dev.agentloop.config.key.ValueType.Form;
import dev.agentloop.config.key.ValueType.Maps;
import dev.agentloop.config.key.ValueType.Texts;
import java.time.Duration;
import java.util.List;

/** The keys that say what calls may do: rules with examples, the audit log, guardrails. */
final class PolicyKeys {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private PolicyKeys() {}

    static void addRules(List<Key> keys) {
        List<Key> rule =
                List.of(
                        key(
                                        "verdict",
                                        Choice.of("allow", "ask", "deny"),
                                        null,
                                        "What the rule says.")
                                .mandatory(),
                        text("rule", Form.ANY, "TOOL or TOOL(PATTERN).").mandatory(),
                        text("reason", Form.ANY, "Told to the model and the person."),
                        key(
                                "match",
                                new Texts(Form.ANY),
                                List.of(),
                                "Paths, commands or addresses that it must speak about."),
                        key(
                                "not_match",
                                new Texts(Form.ANY),
                                List.of(),
                                "Those that it must not speak about."));
        keys.add(
                key(
                                "permissions.rules",
                                new Maps(rule),
                                List.of(),
                                "Rules with a reason and examples, checked when they are read.")
                        .project(MAY_TIGHTEN));
        keys.add(
                text(
                        "permissions.audit_log",
                        Form.PATH,
                        "File that every decision is added to, each line sealed by the next."));
        addFolders(keys);
    }

    private static void addFolders(List<Key> keys) {
        keys.add(
                key(
                                "permissions.add_dirs",
                                new Texts(Form.PATH),
                                List.of(),
                                "Folders that count as part of the workspace.")
                        .option("--add-dir"));
    }

    static void addGuardrails(List<Key> keys) {
        keys.add(
                guard(
                        "protected_files",
                        "Files that no tool changes, and no command that is known to write them; * and ** as in rules."));
        keys.add(guard("sensitive_files", "Files that are neither read nor changed."));
        keys.add(guard("blocked_commands", "Regular expressions of commands that never run."));
        keys.add(limit("max_files_modified", "Files that a run may change."));
        keys.add(limit("max_lines_changed", "Lines that a run may add and remove."));
        keys.add(limit("max_commands_executed", "Commands that a run may execute."));
        keys.add(
                key(
                        "guardrails.require_test_after_edit",
                        new Flag(),
                        false,
                        "The run is partial unless a command succeeded after the last edit."));
        addChecks(keys);
    }

    private static void addChecks(List<Key> keys) {
        List<Key> codeRule =
                List.of(
                        text("pattern", Form.ANY, "Regular expression for one new line.")
                                .mandatory(),
                        text("message", Form.ANY, "Told to the model.").mandatory(),
                        key("severity", Choice.of("warn", "block"), "warn", "block: not written."));
        keys.add(
                key(
                        "guardrails.code_rules",
                        new Maps(codeRule),
                        List.of(),
                        "What new lines of files must not hold."));
        List<Key> gate =
                List.of(
                        text("name", Form.ANY, "Shown in logs and results.").mandatory(),
                        text("command", Form.ANY, "Command line; exit code 0 passes.").mandatory(),
                        key("required", new Flag(), true, "false: only told."),
                        span("timeout", SECOND, Duration.ofMinutes(30), 60)
                                .meaning("The command is killed after it."));
        keys.add(
                key(
                        "guardrails.quality_gates",
                        new Maps(gate),
                        List.of(),
                        "Commands that must pass when the model says it is done."));
        keys.add(
                whole("guardrails.max_gate_retries", 0, 100, 3L)
                        .meaning("Times that the model may mend what a gate found.")
                        .project(MAY_TIGHTEN));
    }

    private static Key guard(String name, String meaning) {
        return key("guardrails." + name, new Texts(Form.ANY), List.of(), meaning)
                .project(MAY_TIGHTEN);
    }

    private static Key limit(String name, String meaning) {
        return whole("guardrails." + name, 0, 1_000_000, null)
                .meaning(meaning + " Unset: no limit.")
                .project(MAY_TIGHTEN);
    }
}
