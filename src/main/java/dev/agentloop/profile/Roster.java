package dev.agentloop.profile;

import java.util.Map;
import java.util.Optional;

/** Who works, and who may take over from that agent. Safe from any thread. */
public final class Roster {
    private String current;
    private Map<String, String> next;
    private Optional<Wish> wanted = Optional.empty();

    /**
     * @param current name of the agent that works
     * @param next names of those it may hand over to, with their descriptions
     */
    public Roster(String current, Map<String, String> next) {
        this.current = current;
        this.next = Map.copyOf(next);
    }

    /** The agent that works. */
    public synchronized String current() {
        return current;
    }

    /** Those that it may hand over to, by name, with their descriptions. */
    public synchronized Map<String, String> next() {
        return next;
    }

    /**
     * A hand-over.
     *
     * @param fresh whether the next agent gets its task without what was said before
     */
    public record Wish(String agent, boolean fresh) {}

    /** Wants a hand-over when the step ends; the last wish of a step counts. */
    synchronized void want(Wish wish) {
        wanted = Optional.of(wish);
    }

    /** The hand-over that is wanted, once. */
    public synchronized Optional<Wish> takeWanted() {
        Optional<Wish> taken = wanted;
        wanted = Optional.empty();
        return taken;
    }

    /** Another agent works now. */
    public synchronized void switchTo(String agent, Map<String, String> itsNext) {
        current = agent;
        next = Map.copyOf(itsNext);
    }
}
