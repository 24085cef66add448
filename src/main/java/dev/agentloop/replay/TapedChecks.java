package dev.agentloop.replay;

import dev.agentloop.control.Cancellation;
import dev.agentloop.loop.run.FinalChecks;
import java.util.List;

/** Checks of which somebody else gives the answers. */
record TapedChecks(FinalChecks real, FinalChecks answers) implements FinalChecks {
    @Override
    public List<Check> run(Cancellation cancellation) {
        return answers.run(cancellation);
    }

    @Override
    public int maxRetries() {
        return real.maxRetries();
    }
}
