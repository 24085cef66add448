package dev.agentloop.cli.chat;

import dev.agentloop.chat.Entry;
import dev.agentloop.chat.LineEditor;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.terminal.ChatScreen;
import dev.agentloop.control.Cancellation;
import java.util.function.Supplier;

/**
 * The lines that a person types in a chat: tasks, and answers to questions.
 *
 * @param ownsProcess whether signals may be handled
 */
record TypedLines(LineEditor editor, boolean ownsProcess) implements ChatScreen.Answers {
    /** The next task, which begins with what was typed and has not been sent. */
    Entry task() {
        return line(() -> editor.read(ChatPrompt.SIGN, editor.live().takeBack()));
    }

    @Override
    public Entry read(String question, String draft, Cancellation ending) {
        Thread answering = Thread.currentThread();
        try (var _ = ending.onCancel(() -> editor.interruptAnswer(answering))) {
            Entry entry = line(() -> editor.answer(question, draft));
            if (!(entry instanceof Entry.Typed)) {
                Signals.interruptLater(); // where no run could be stopped at once
            }
            return entry;
        } finally {
            if (ending.isCancelled()) {
                var _ = Thread.interrupted(); // by that, after the line had been read
            }
        }
    }

    /** While a line is typed, Ctrl-C is the editor's. */
    private Entry line(Supplier<Entry> reading) {
        return ownsProcess ? Signals.lendInterrupt(reading) : reading.get();
    }
}
