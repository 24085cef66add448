package dev.agentloop.memory;

/** One change of a file of notes. Texts are one line each. */
public sealed interface MemoryUpdate {
    /** A new note. */
    record Add(String text) implements MemoryUpdate {}

    /**
     * Another text for a note.
     *
     * @param old the note, or a part of it that no other has
     */
    record Replace(String old, String text) implements MemoryUpdate {}

    /**
     * A note goes.
     *
     * @param old the note, or a part of it that no other has
     */
    record Remove(String old) implements MemoryUpdate {}
}
