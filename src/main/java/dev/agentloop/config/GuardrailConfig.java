package dev.agentloop.config;

import java.time.Duration;
import java.util.List;
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
}
