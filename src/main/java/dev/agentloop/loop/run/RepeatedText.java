package dev.agentloop.loop.run;

import java.util.regex.Pattern;

/**
 * Notices a reply that says the same thing over and over, while it comes. Code and tables may
 * repeat themselves, so only words outside code blocks count.
 */
public final class RepeatedText {
    private static final int TIMES = 10;
    private static final int SHORTEST = 50; // characters of what is repeated, or several of it
    private static final int LONGEST = 500;
    private static final int EVERY = 250; // characters between two looks
    private static final int WORDS = 6; // in what is repeated; tables and data have fewer
    private static final Pattern WORD = Pattern.compile("\\b\\p{L}{2,}\\b");
    private static final String FENCE = "```";

    private final StringBuilder tail = new StringBuilder();
    private int unseen;
    private boolean code;

    /** Adds a piece of the reply; true when it goes round in circles. */
    public boolean add(String delta) {
        int from = Math.max(0, tail.length() - FENCE.length() + 1); // a fence may come in pieces
        tail.append(delta);
        for (int at = tail.indexOf(FENCE, from); at >= 0; at = tail.indexOf(FENCE)) {
            tail.delete(0, at + FENCE.length()); // what is repeated does not span it
            code = !code;
        }
        unseen += delta.length();
        if (unseen < EVERY) {
            return false;
        }
        unseen = 0;
        tail.delete(0, Math.max(0, tail.length() - TIMES * LONGEST));
        return !code && isRepeated();
    }

    private boolean isRepeated() {
        int end = tail.length();
        for (int length = SHORTEST; length * TIMES <= end; length++) {
            if (hasPeriod(length, end) && words(end - length, end) >= WORDS) {
                return true;
            }
        }
        return false;
    }

    private boolean hasPeriod(int length, int end) {
        for (int at = end - 1; at >= end - length * (TIMES - 1); at--) {
            if (tail.charAt(at) != tail.charAt(at - length)) {
                return false;
            }
        }
        return true;
    }

    private long words(int from, int end) {
        return WORD.matcher(tail.subSequence(from, end)).results().count();
    }
}
