package dev.agentloop.secret;

import dev.agentloop.secret.pattern.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * Masks a text that comes in pieces: what could be the beginning of a secret waits for the pieces
 * that tell.
 */
public final class MaskedStream {
    private static final int CONTEXT = 3; // characters: an escape in front of a token

    private final Secrets secrets;
    private String held = "";
    private String before = "";

    public MaskedStream(Secrets secrets) {
        this.secrets = secrets;
    }

    /** What may be shown now; may be empty. */
    public String add(String piece) {
        String text = held + piece;
        List<Span> spans = new ArrayList<>();
        int settled = secrets.scanner().settled(text, before, spans);
        String shown = shown(text, settled, spans);
        held = text.substring(settled);
        String seen = before + text.substring(0, settled);
        before = seen.substring(Math.max(0, seen.length() - CONTEXT));
        return shown;
    }

    /** What was held back; the next piece begins another text. */
    String end() {
        if (held.isEmpty() && before.isEmpty()) {
            return "";
        }
        String rest = shown(held, held.length(), secrets.scanner().finished(held, before));
        held = "";
        before = "";
        return rest;
    }

    private static String shown(String text, int end, List<Span> spans) {
        return spans.isEmpty()
                ? text.substring(0, end)
                : Secrets.replace(text, end, spans, (name, value) -> Secrets.masked(name));
    }
}
