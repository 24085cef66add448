package dev.agentloop.output;

import dev.agentloop.markdown.MarkdownStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes a log for people: pieces of text as they arrive, whole lines, and lines about calls. Calls
 * that run side by side are written one after another, each with its own lines below it.
 */
final class LogLines {
    private final Consumer<String> out;
    private final Style style;
    private final Map<String, OpenCall> openCalls = new LinkedHashMap<>();
    private final @Nullable MarkdownStream markdown;
    private final UnaryOperator<String> broken;
    private final SafePieces pieces = new SafePieces();
    private boolean inText;

    /**
     * @param out takes text as it is to be written, line feeds included
     * @param markdown makes the model's text readable; null writes it as it is
     * @param broken breaks lines that are longer than a person's screen
     */
    LogLines(
            Consumer<String> out,
            Style style,
            @Nullable MarkdownStream markdown,
            UnaryOperator<String> broken) {
        this.broken = broken;
        this.out = out;
        this.style = style;
        this.markdown = markdown;
    }

    /** Lines of a call that waits until those before it are written to their end. */
    private static final class OpenCall {
        private final StringBuilder waiting = new StringBuilder();
        private boolean finished;
    }

    Style style() {
        return style;
    }

    /** A piece of a text of the model. */
    void text(String piece) {
        String text = style.text(pieces.add(piece));
        if (markdown == null) {
            out.accept(text);
            inText = !piece.endsWith("\n");
        } else {
            out.accept(markdown.add(text));
        }
    }

    /** What comes next is no piece of the text before it. */
    void endText() {
        String rest = pieces.end();
        if (markdown != null) {
            rest = markdown.add(rest) + markdown.end();
        }
        if (!rest.isEmpty()) {
            out.accept(rest);
        }
        if (inText) {
            out.accept("\n");
            inText = false;
        }
    }

    void line(String text) {
        endText();
        out.accept(broken.apply(style.text(text)) + "\n");
    }

    void open(String callId) {
        openCalls.put(callId, new OpenCall());
    }

    /** Lines of the first open call are written at once, those of the others wait their turn. */
    void line(String callId, String text) {
        OpenCall call = openCalls.get(callId);
        if (call == null || openCalls.keySet().iterator().next().equals(callId)) {
            line(text);
        } else {
            call.waiting.append(text).append('\n');
        }
    }

    /** Nothing more is said of the call. */
    void close(String callId) {
        OpenCall call = openCalls.get(callId);
        if (call == null) {
            return;
        }
        call.finished = true;
        while (!openCalls.isEmpty() && openCalls.values().iterator().next().finished) {
            openCalls.remove(openCalls.keySet().iterator().next());
            if (!openCalls.isEmpty()) {
                StringBuilder waiting = openCalls.values().iterator().next().waiting;
                out.accept(broken.apply(style.text(waiting.toString())));
                waiting.setLength(0);
            }
        }
    }
}
