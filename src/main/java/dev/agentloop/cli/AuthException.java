package dev.agentloop.cli;

/** There is no key for the chosen model, or no model at all; the message says how to go on. */
final class AuthException extends Exception {
    private static final long serialVersionUID = 1L;

    AuthException(String message) {
        super(message);
    }
}
