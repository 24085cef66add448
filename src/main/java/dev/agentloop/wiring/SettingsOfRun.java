package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.GuardrailConfig;
import dev.agentloop.config.LimitsConfig;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.llm.Generation;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.wiring.prompt.ContextManagers;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.math.BigDecimal;
import java.nio.file.Path;

/** What the configuration says of a run's loop. */
record SettingsOfRun(RunSetup setup, RunSurroundings around, RunGuardrails guardrails, Path root) {
    LoopSettings with(AnswerCheck answers) {
        LimitsConfig limits = setup.config().limits();
        return new LoopSettings(
                limits.maxSteps(),
                limits.timeout().orElse(null),
                limits.stepTimeout().orElse(null),
                setup.config().llm().maxContinuations(),
                setup.config().llm().maxOutputTokens().orElse(0),
                setup.stream(),
                generation(),
                answers,
                around.tape().checks(endChecks()));
    }

    private FinalChecks endChecks() {
        GuardrailConfig rules = setup.config().guardrails();
        return GuardrailChecks.of(rules, guardrails, around.processes(), root);
    }

    private Generation generation() {
        AgentConfig.Llm config = setup.config().llm();
        return new Generation(
                config.effort().orElse(null),
                config.temperature().map(BigDecimal::doubleValue).orElse(null),
                setup.answer().map(answer -> answer.schema().text()).orElse(null),
                around.journal().sessionId(),
                ContextManagers.serverThreshold(setup));
    }
}
