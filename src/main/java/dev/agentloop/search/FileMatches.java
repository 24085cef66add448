package dev.agentloop.search;

import java.util.List;

/**
 * What a search found in one file.
 *
 * @param lines matches and the lines around them, in order
 * @param isComplete whether the file has no more matches than these
 */
public record FileMatches(State state, List<Line> lines, boolean isComplete) {

    /** How the file was read. */
    public enum State {
        SEARCHED,
        /** With lines on which the expression needs more stack than there is. */
        TOO_DEEP,
        /** To the point where the time was up. */
        STOPPED,
        BINARY,
        UNREADABLE
    }

    /**
     * One line.
     *
     * @param number counted from 1
     * @param text the part of it around the match, if it is long
     */
    public record Line(int number, String text, boolean isMatch) {}

    static FileMatches none(State state) {
        return new FileMatches(state, List.of(), true);
    }
}
