package dev.agentloop.shell.parse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one parse has found so far: of a line, and of the lines inside it. */
public final class Findings {
    static final int MAX_COMMANDS = 10_000;
    public static final int MAX_CHARS = 1_000_000;
    static final int MAX_WORDS = 10_000; // each may be looked up on the disk
    public static final int MAX_DEPTH =
            50; // the stack holds far more; nobody writes as much by hand

    private final List<SimpleCommand> commands = new ArrayList<>();
    private @Nullable String reason;
    private int depth;
    private int words;
    private long work;

    /** A limit was reached. */
    public static final class TooComplexException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public TooComplexException(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Notes why the line cannot be known; the first reason stays. */
    public void unclear(String why) {
        if (reason == null) {
            reason = why;
        }
    }

    @Nullable
    public String reason() {
        return reason;
    }

    public int add(SimpleCommand command) {
        commands.add(command);
        if (commands.size() >= MAX_COMMANDS) {
            throw new TooComplexException("it has " + MAX_COMMANDS + " commands or more");
        }
        return commands.size() - 1;
    }

    void complete(int index, int redirect, Redirect known) {
        commands.set(index, commands.get(index).with(redirect, known));
    }

    public List<SimpleCommand> commands() {
        return commands;
    }

    public void enter() {
        if (++depth > MAX_DEPTH) {
            throw new TooComplexException("it is nested more than " + MAX_DEPTH + " deep");
        }
    }

    public void leave() {
        depth--;
    }

    /** One more word or redirection. */
    public void word() {
        if (++words > MAX_WORDS) {
            throw new TooComplexException("it has more than " + MAX_WORDS + " words");
        }
    }

    /** Counts characters looked at: what keeps the time of a parse in proportion to its line. */
    public void worked(int chars) {
        work += chars;
        if (work > 20L * MAX_CHARS) {
            throw new TooComplexException("it takes too long to be read");
        }
    }

    public long work() {
        return work;
    }
}
