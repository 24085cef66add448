package dev.agentloop.wiring;

import dev.agentloop.config.GuardrailConfig;
import dev.agentloop.control.Cancellation;
import dev.agentloop.guardrail.ChangeLimits;
import dev.agentloop.guardrail.CodeRule;
import dev.agentloop.guardrail.QualityGates;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.process.ProcessRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the configuration's guardrails check when the model says it is done. */
final class GuardrailChecks implements FinalChecks {
    private static final String UNTESTED = "require_test_after_edit";

    private final GuardrailConfig config;
    private final QualityGates gates;
    private final RunGuardrails done;

    private GuardrailChecks(GuardrailConfig config, QualityGates gates, RunGuardrails done) {
        this.config = config;
        this.gates = gates;
        this.done = done;
    }

    /** Limits and rules for single calls. */
    static RunGuardrails guardrails(GuardrailConfig config) {
        List<CodeRule> rules = new ArrayList<>();
        for (GuardrailConfig.CodeRule rule : config.codeRules()) {
            rules.add(
                    new CodeRule(
                            Policies.pattern(rule.pattern(), "guardrails.code_rules"),
                            rule.message(),
                            rule.blocks()));
        }
        ChangeLimits limits =
                new ChangeLimits(
                        config.maxFilesModified(),
                        config.maxLinesChanged(),
                        config.maxCommandsExecuted());
        return new RunGuardrails(limits, rules);
    }

    /**
     * The checks of a run's end.
     *
     * @param done what the run has done so far
     */
    static FinalChecks of(
            GuardrailConfig config, RunGuardrails done, ProcessRunner runner, Path root) {
        if (config.gates().isEmpty() && !config.testAfterEdit()) {
            return FinalChecks.NONE;
        }
        List<QualityGates.Gate> gates = new ArrayList<>();
        for (GuardrailConfig.Gate gate : config.gates()) {
            gates.add(
                    new QualityGates.Gate(
                            gate.name(), gate.command(), gate.required(), gate.timeout()));
        }
        return new GuardrailChecks(config, new QualityGates(gates, runner, root), done);
    }

    /** A run that only read has broken nothing. */
    @Override
    public List<Check> run(Cancellation cancellation) {
        List<Check> checks = new ArrayList<>();
        if (!done.hasActed()) {
            return checks;
        }
        if (config.testAfterEdit()) {
            boolean untested = done.isUntested();
            String output =
                    "Files were changed, and no command has succeeded since. Run the tests.";
            checks.add(
                    new Check(
                            UNTESTED,
                            true,
                            untested ? 1 : 0,
                            Duration.ZERO,
                            untested ? output : ""));
        }
        for (QualityGates.Report report : gates.run(cancellation)) {
            checks.add(
                    new Check(
                            report.name(),
                            report.required(),
                            report.exitCode(),
                            report.took(),
                            report.output()));
        }
        return checks;
    }

    @Override
    public int maxRetries() {
        return config.maxGateRetries();
    }
}
