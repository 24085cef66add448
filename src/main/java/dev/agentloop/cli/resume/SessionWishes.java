package dev.agentloop.cli.resume;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import java.util.OptionalInt;
import picocli.CommandLine.ParseResult;

/**
 * How a session is taken up again.
 *
 * @param fork a copy of it goes on
 * @param records how many of its records count; {@link SessionStore#ALL} for all
 * @param waits whether to wait while another run has it
 */
public record SessionWishes(boolean fork, long records, boolean waits) {
    private static final long FOR_EVER = Long.MAX_VALUE / 4_000_000L; // milliseconds: 73 years

    public static SessionWishes of(ParseResult arguments) {
        boolean part = RunOption.RESUME_AT.isGiven(arguments);
        return new SessionWishes(
                part || RunOption.FORK_SESSION.isGiven(arguments),
                part ? records(RunOption.RESUME_AT.text(arguments)) : SessionStore.ALL,
                RunOption.WAIT.isGiven(arguments));
    }

    /** A number that {@link #check} refuses stands for text that is none. */
    private static long records(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public void check(SessionChoice choice) throws UsageException {
        if (records < 1) {
            throw new UsageException(
                    "--resume-at: give a number of records from 1; the message about a damaged"
                            + " session names it.");
        }
        boolean plain = !fork && !waits;
        if (!plain && choice instanceof SessionChoice.Fresh) {
            throw new UsageException(
                    (records < SessionStore.ALL
                                    ? "--resume-at"
                                    : fork ? "--fork-session" : "--wait")
                            + " needs a session that goes on: --session ID or --continue.");
        }
    }

    /** The session as it is now, or when the run that has it has ended. */
    SavedSession read(SessionStore store, String id) throws SessionException {
        settle(store, id);
        return store.survey(id, records);
    }

    /** Takes it up, or a copy of it. */
    public SessionStore.Reopened reopen(SessionStore store, String id) throws SessionException {
        return store.reopen(fork ? store.fork(id, records, OptionalInt.empty()) : id);
    }

    private void settle(SessionStore store, String id) throws SessionException {
        try {
            store.await(id, waits ? FOR_EVER : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SessionException("Waiting for session " + id + " was interrupted.");
        }
    }
}
