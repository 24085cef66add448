package dev.agentloop.session;

/** A session cannot be used; the message says which, why and what to do. */
public final class SessionException extends Exception {
    private static final long serialVersionUID = 1L;

    public SessionException(String message) {
        super(message);
    }
}
