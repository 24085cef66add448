package dev.agentloop.cli.command;

/** The command line asks for something that cannot be; the message says what to do instead. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
