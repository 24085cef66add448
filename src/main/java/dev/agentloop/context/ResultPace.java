package dev.agentloop.context;

/**
 * How long a tool result may be: a sixteenth of the model's window, and less in a run of nothing
 * but long results, whose window they would fill every dozen steps. Then a result may have what the
 * steps since the history was last made shorter have left of their shares.
 */
final class ResultPace {
    /** Characters of a result in the widest window. */
    static final int MOST = 50_000;

    private static final int LEAST = 8_000; // characters in the narrowest
    private static final int PACED = 6_000; // in a run of nothing but long results
    private static final int CHARS_PER_TOKEN = 4;
    private static final int PER_WINDOW = 16; // results that would fill it
    private static final int STEPS = 30; // with results that fill their shares, until it is full
    private static final double ADVANCE = 0.4; // of the window: what the first steps may use up

    private final long window;
    private final long full;
    private long start; // tokens
    private long steps;
    private long advance;
    private int chars;

    /**
     * @param window in tokens; 0 for no limit
     * @param full tokens from which the history is made shorter
     */
    ResultPace(long window, long full) {
        this.window = window;
        this.full = full;
        this.advance = (long) (window * ADVANCE);
        this.chars = most();
    }

    /** Characters of a result of the step that has begun. */
    int chars() {
        return chars;
    }

    /** A step begins with so many tokens. */
    void step(long tokens) {
        start = steps == 0 ? tokens : start;
        steps++;
        long left = start + advance + Math.max(0, full - start) * steps / STEPS - tokens;
        chars = window == 0 ? MOST : Math.clamp(left * CHARS_PER_TOKEN, PACED, most());
    }

    /** The history has become shorter. */
    void startAnew() {
        steps = 0;
        advance = 0;
    }

    private int most() {
        return window == 0 ? MOST : Math.clamp(window * CHARS_PER_TOKEN / PER_WINDOW, LEAST, MOST);
    }
}
