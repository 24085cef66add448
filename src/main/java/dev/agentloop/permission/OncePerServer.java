package dev.agentloop.permission;

import dev.agentloop.control.Cancellation;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.call.PreparedCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks about a server of the web once: a yes to one of its addresses holds for the others until the
 * run ends. Not so where a rule or {@code confirm-all} wants every call to be asked.
 */
public final class OncePerServer implements Approver {
    private final Approver person;
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();

    public OncePerServer(Approver person) {
        this.person = person;
    }

    @Override
    public Answer ask(PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation) {
        return ask(ready, decision, List.of(), cancellation);
    }

    @Override
    public Answer ask(
            PreparedCall.Ready<?> ready,
            Decision decision,
            List<PlannedChange> planned,
            Cancellation cancellation) {
        boolean once =
                ready.tool().subjectKind() == SubjectKind.URL
                        && decision.rule().equals(PolicyRow.FETCH.id());
        if (!once) {
            return person.ask(ready, decision, planned, cancellation);
        }
        String server = HostPattern.server(ready.subject());
        if (accepted.contains(server)) {
            return new Answer.Yes();
        }
        Answer answer = person.ask(ready, decision, cancellation);
        if (answer instanceof Answer.Yes) {
            accepted.add(server);
        }
        return answer;
    }
}
