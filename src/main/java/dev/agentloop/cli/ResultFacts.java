package dev.agentloop.cli;

import dev.agentloop.cost.CostTracker;
import dev.agentloop.loop.Run;
import dev.agentloop.message.Usage;
import dev.agentloop.wiring.StructuredAnswer;
import org.jspecify.annotations.Nullable;

/** What is known of a run at the moment its result is reported; filled while the run is set up. */
final class ResultFacts {
    String sessionId = "";
    String agent = "";
    String model = "";
    String workspace = "";
    String journal = "";
    String basis = "unknown";
    boolean strictDenials;
    boolean resumed;
    int onPartial = ExitCode.PARTIAL.code();
    @Nullable CostTracker costs;
    @Nullable Run run;
    @Nullable StructuredAnswer answer;

    void learn(RunPreparation.Prepared prepared) {
        agent = prepared.agent();
        model = prepared.model().model().info().id();
        workspace = prepared.workspace().toString();
        basis = prepared.priceBasis();
    }

    int steps() {
        return run == null ? 0 : run.steps();
    }

    Usage usage() {
        return costs == null ? Usage.NONE : costs.usage();
    }
}
