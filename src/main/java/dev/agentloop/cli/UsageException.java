package dev.agentloop.cli;

/** The command line asks for something that cannot be; the message says what to do instead. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
