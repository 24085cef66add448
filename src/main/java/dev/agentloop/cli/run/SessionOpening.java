package dev.agentloop.cli.run;

import dev.agentloop.cli.resume.SessionWishes;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.session.Journal;
import dev.agentloop.session.NoJournal;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes a session up again, begins one, or does without. */
record SessionOpening(SessionStore store, SessionWishes wishes) {
    /**
     * What a run writes to.
     *
     * @param warnings what a person should know before it begins
     */
    record Opened(
            Journal journal,
            Optional<SessionStore.Reopened> reopened,
            List<String> warnings,
            SessionStore.Presence presence) {}

    /** Of a run that has not begun. */
    static final SessionStore.Presence NOWHERE =
            new SessionStore.Presence() {
                @Override
                public String others() {
                    return "";
                }

                @Override
                public void close() {}
            };

    Opened open(RunPreparation.Prepared prepared) throws SessionException {
        Opened opened = opened(prepared);
        SessionStore.Presence presence = store.enter(prepared.workspace());
        List<String> warnings = new ArrayList<>(opened.warnings());
        if (!presence.others().isEmpty()) {
            warnings.add(
                    "another run works in this workspace ("
                            + presence.others()
                            + "): who comes second to change a file is refused and reads it again");
        }
        return new Opened(opened.journal(), opened.reopened(), warnings, presence);
    }

    private Opened opened(RunPreparation.Prepared prepared) throws SessionException {
        if (prepared.reopenId().isPresent()) {
            return reopen(prepared.reopenId().get());
        }
        if (!prepared.keepSession() && store.mustKeep()) {
            throw new SessionException(
                    "A run of a worker keeps its session, and here none is kept: set"
                            + " sessions.auto_save to true in the worker's configuration.");
        }
        if (!prepared.keepSession()) {
            return new Opened(new NoJournal(), Optional.empty(), List.of(), NOWHERE);
        }
        try {
            return new Opened(store.create(), Optional.empty(), List.of(), NOWHERE);
        } catch (SessionException e) {
            if (store.mustKeep()) {
                throw e;
            }
            // Where nothing can be kept, as in containers without a home, the run goes on.
            String why = "no session is kept, so this run cannot be resumed: " + e.getMessage();
            return new Opened(new NoJournal(), Optional.empty(), List.of(why), NOWHERE);
        }
    }

    private Opened reopen(String id) throws SessionException {
        SessionStore.Reopened reopened = wishes.reopen(store, id);
        List<String> warnings = new ArrayList<>();
        if (wishes.records() < SessionStore.ALL) {
            String copy = reopened.session().summary().id();
            warnings.add(
                    "this goes on in session "
                            + copy
                            + ", a copy of the records that were wanted;"
                            + " the other stays as it is");
        }
        String counted = reopened.session().held().counted();
        if (!counted.isEmpty()) {
            warnings.add(counted);
        }
        return new Opened(reopened.journal(), Optional.of(reopened), warnings, NOWHERE);
    }
}
