package dev.agentloop.cli.run;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.setup.ResultFacts;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.Tally;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.output.Level;
import dev.agentloop.secret.MaskedEvents;
import java.util.List;

/** Reports a run that was refused before it began, in the format that was asked for. */
public final class RefusedRun {
    private RefusedRun() {}

    /** Reports it in the format of a run's result; the exit code. */
    public static int report(
            StopReason reason, String message, OutputFormat format, Invocation invocation) {
        Time time = new SystemTime();
        Tally tally = new Tally();
        RunOutput output =
                new RunOutput(
                        invocation,
                        new RunOutput.Wishes(format, Level.HUMAN, false, ""),
                        new Cancellation(),
                        time);
        EventSink events =
                new MaskedEvents(new EventFan(List.of(tally, output)), invocation.secrets());
        return new ResultReporter(
                        tally, new ResultFacts(), output, events, invocation.secrets(), () -> 0)
                .refuse(reason, message);
    }
}
