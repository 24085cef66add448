package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What never happens, whoever allows it.
 *
 * @param protectedFiles patterns of files that are never changed
 * @param sensitiveFiles patterns of files that are neither read nor changed
 * @param blockedCommands regular expressions
 * @param testAfterEdit whether a command must have succeeded after the last edit
 * @param maxGateRetries times that the model may mend what a gate found
 */
public record GuardrailConfig(
        List<String> protectedFiles,
        List<String> sensitiveFiles,
        List<String> blockedCommands,
        OptionalInt maxFilesModified,
        OptionalInt maxLinesChanged,
        OptionalInt maxCommandsExecuted,
        boolean testAfterEdit,
        List<CodeRule> codeRules,
        List<Gate> gates,
        int maxGateRetries) {
    /**
     * What a new line of a file must not hold.
     *
     * @param pattern a regular expression
     * @param blocks whether the file is not written; otherwise the model is only told
     */
    public record CodeRule(String pattern, String message, boolean blocks) {}

    /** A command that must pass when the model says it is done. */
    public record Gate(String name, String command, boolean required, Duration timeout) {}

    static GuardrailConfig of(SettingsReader read) {
        List<GuardrailConfig.CodeRule> codeRules = new ArrayList<>();
        for (Map<?, ?> rule : read.maps("guardrails.code_rules")) {
            codeRules.add(
                    new GuardrailConfig.CodeRule(
                            (String) SettingsReader.of(rule, "pattern"),
                            (String) SettingsReader.of(rule, "message"),
                            SettingsReader.of(rule, "severity").equals("block")));
        }
        List<GuardrailConfig.Gate> gates = new ArrayList<>();
        for (Map<?, ?> gate : read.maps("guardrails.quality_gates")) {
            gates.add(
                    new GuardrailConfig.Gate(
                            (String) SettingsReader.of(gate, "name"),
                            (String) SettingsReader.of(gate, "command"),
                            (Boolean) SettingsReader.of(gate, "required"),
                            (Duration) SettingsReader.of(gate, "timeout")));
        }
        return new GuardrailConfig(
                read.texts("guardrails.protected_files"),
                read.texts("guardrails.sensitive_files"),
                read.texts("guardrails.blocked_commands"),
                read.maybeWhole(KeyPath.of("guardrails.max_files_modified")),
                read.maybeWhole(KeyPath.of("guardrails.max_lines_changed")),
                read.maybeWhole(KeyPath.of("guardrails.max_commands_executed")),
                read.flag("guardrails.require_test_after_edit"),
                List.copyOf(codeRules),
                List.copyOf(gates),
                read.whole("guardrails.max_gate_retries"));
    }
}
