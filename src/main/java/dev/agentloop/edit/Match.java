package dev.agentloop.edit;

import org.jspecify.annotations.Nullable;

/**
 * A place where the old text stands, exactly or nearly.
 *
 * @param start first character of it
 * @param end character after its last one
 * @param style how a new line is written there
 */
record Match(int start, int end, LineStyle style) {

    /** Fits lines of the model to the place they go to. */
    @FunctionalInterface
    interface LineStyle {
        LineStyle AS_SENT = (line, _) -> line;

        /**
         * @param line of the new text, without its end
         * @param instead what it replaces; null for a line that is new
         */
        String fit(String line, @Nullable Pair instead) throws EditException;
    }

    /** A line as the model believed it to be, and as it is. */
    record Pair(String sent, String file) {}
}
