package dev.agentloop.edit;

import org.jspecify.annotations.Nullable;

/** Fits lines of the model to the place they go to. */
@FunctionalInterface
public interface LineStyle {
    LineStyle AS_SENT = (line, _) -> line;

    /** Keeps typographic signs of the line that is replaced. */
    LineStyle SIGNS_KEPT =
            (line, instead) -> instead == null ? line : Typography.keepSigns(line, instead);

    /**
     * @param line of the new text, without its end
     * @param instead what it replaces; null for a line that is new
     */
    String fit(String line, @Nullable Pair instead) throws EditException;

    /** A line as the model believed it to be, and as it is. */
    record Pair(String sent, String file) {}
}
