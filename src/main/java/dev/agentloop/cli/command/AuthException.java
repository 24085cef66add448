package dev.agentloop.cli.command;

/** There is no key for the chosen model, or no model at all; the message says how to go on. */
public final class AuthException extends Exception {
    private static final long serialVersionUID = 1L;

    public AuthException(String message) {
        super(message);
    }
}
