package dev.agentloop.edit;

/** An edit that does not fit; the message tells the model why and what to change. */
public final class EditException extends Exception {
    private static final long serialVersionUID = 1L;

    public EditException(String message) {
        super(message, null, false, false);
    }
}
