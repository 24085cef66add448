package dev.agentloop.chat;

/** What came of one prompt. */
public sealed interface Entry {
    /**
     * Enter was pressed.
     *
     * @param text what was typed, perhaps several lines
     */
    record Typed(String text) implements Entry {}

    /**
     * Ctrl-C was pressed, or Escape behind a question; what had been typed is gone.
     *
     * @param hadText whether anything had been
     */
    record Cut(boolean hadText) implements Entry {}

    /** Ctrl-D was pressed with nothing typed, or the terminal has gone. */
    record Closed() implements Entry {}
}
