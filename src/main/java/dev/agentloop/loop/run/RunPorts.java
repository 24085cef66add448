package dev.agentloop.loop.run;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.Message;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a loop and its tools report to and keep time with.
 *
 * @param journal record of the session: what is not in it is lost with the process
 * @param hooks the user's hooks of this run
 */
public record RunPorts(Journal journal, EventSink events, Time time, RunHooks hooks) {
    /** The same, heard by another sink. */
    public RunPorts with(EventSink sink) {
        return new RunPorts(journal, sink, time, hooks);
    }

    /** Ends the run's work when what remains of its time is over; null for no limit. */
    public Cancellation.Registration deadline(Run run, @Nullable Duration remaining) {
        return remaining == null
                ? () -> {}
                : time.alarm(remaining, () -> run.work().cancel(new Cause.RunDeadline()));
    }

    /** The program speaks in the person's place; {@code origin} says why. */
    public void say(Run run, String text, String origin) {
        run.add(new Message.User(text));
        journal.append(List.of(new JournalRecord.UserSaid(text, origin)), false);
        events.emit(new AgentEvent.UserMessage(text, origin));
    }

    /** Tells people something that ends nothing. */
    public void warn(String message) {
        events.emit(new AgentEvent.Warning(message));
    }

    /** Tells people why the run ends without success. */
    public void fail(StopReason reason, String message, boolean retryable) {
        events.emit(new AgentEvent.Failed(reason.wireName(), message, true, retryable));
    }
}
