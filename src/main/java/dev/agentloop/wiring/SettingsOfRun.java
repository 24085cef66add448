package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.GuardrailConfig;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.llm.Generation;
import dev.agentloop.loop.call.ToolSettings;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.wiring.prompt.ContextManagers;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the configuration says of a run's loop. */
record SettingsOfRun(RunSetup setup, RunSurroundings around, RunGuardrails guardrails, Path root) {
    /** How calls of one reply are run. */
    static ToolSettings tools(RunSetup setup) {
        AgentConfig config = setup.config();
        return new ToolSettings(
                config.context().parallelTools(),
                config.tools().maxParallel(),
                config.tools().maxCallsPerStep(),
                setup.dryRun());
    }

    /**
     * Those of an agent that works for another: its answer goes to that one, which checks it.
     *
     * @param timeout what it has of the other's time
     */
    static LoopSettings ofChild(
            RunSetup setup, int maxSteps, Optional<Duration> timeout, String sessionId) {
        return new LoopSettings(
                Watchdogs.Limits.of(maxSteps, timeout, setup.config().limits().stepTimeout()),
                setup.config().llm().maxContinuations(),
                setup.config().llm().maxOutputTokens().orElse(0),
                setup.stream(),
                generation(setup, null, sessionId, 0),
                AnswerCheck.ANY,
                FinalChecks.NONE,
                () -> false);
    }

    /**
     * @param mayCheck whether commands can be run to check the work
     */
    LoopSettings with(AnswerCheck answers, BooleanSupplier mayCheck) {
        GuardrailConfig rules = setup.config().guardrails();
        return new LoopSettings(
                setup.config().limits(),
                setup.config().llm().maxContinuations(),
                setup.config().llm().maxOutputTokens().orElse(0),
                setup.stream(),
                generation(),
                answers,
                around.tape()
                        .checks(GuardrailChecks.of(rules, guardrails, around.processes(), root)),
                () ->
                        setup.config().context().finishCheck()
                                && rules.gates().isEmpty()
                                && !rules.testAfterEdit()
                                && mayCheck.getAsBoolean());
    }

    private Generation generation() {
        return generation(
                setup,
                setup.answer().map(answer -> answer.schema().text()).orElse(null),
                around.journal().sessionId(),
                ContextManagers.serverThreshold(setup));
    }

    private static Generation generation(
            RunSetup setup, @Nullable String schema, String sessionId, long compactAt) {
        AgentConfig.Llm config = setup.config().llm();
        return new Generation(
                config.effort().orElse(null),
                config.temperature().map(BigDecimal::doubleValue).orElse(null),
                schema,
                sessionId,
                compactAt);
    }
}
